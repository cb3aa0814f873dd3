/* collectors/corpus_message.c - headers, MIME structure and sizes
 *
 * The size law: a lognormal body (median 5.5 KiB with the headers, sigma 1.3 octaves) for all, and
 * for 2 % of the messages attachments of 30 KB to 1.5 MB, log-uniform. 50,000 messages come to
 * about 0.85 GB. Header blocks are 2 to 5 KiB, as relays, signatures and filters leave them, and
 * once in 300 messages tens of KiB of recipients.
 *
 * No argument list holds two draws: compilers evaluate arguments in different orders, and the same
 * seed has to give the same bytes from all of them. */
#include "collectors/corpus_message.h"
#include <string.h>
#include <time.h>
#include "collectors/corpus_words.h"

#define FIRST_DATE_S 1230768000 /* 2009-01-01 00:00:00 UTC */
#define STEP_S 9000             /* between two messages: ten a day */
#define MEDIAN_BYTES 5632
#define SIGMA_E16 85197 /* 1.3 * 65536 */
#define BODY_MIN_BYTES 60
#define BODY_MAX_BYTES 400000
#define ATTACHMENT_PER_MILLE 20
#define ATTACHMENT_MIN_BYTES 30000
#define ATTACHMENT_OCTAVES_E16 369885 /* log2(1.5 MB / 30 KB) * 65536 */

void corpus_message_done(struct corpus_message *m)
{
        mailtext_done(&m->content);
        mailtext_done(&m->scratch);
        *m = CORPUS_MESSAGE_NULL;
}

static void put_date(struct mailtext *t, int64_t at_s, int32_t zone_minutes)
{
        static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
        static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
        time_t local = (time_t) (at_s + zone_minutes * 60);
        int32_t away = zone_minutes < 0 ? -zone_minutes : zone_minutes;
        struct tm tm;

        if (!gmtime_r(&local, &tm))
                return;
        mailtext_putf(t, "%s, %d %s %d %02d:%02d:%02d %c%02d%02d", days[tm.tm_wday], tm.tm_mday,
                      months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec,
                      zone_minutes < 0 ? '-' : '+', away / 60, away % 60);
}

static void put_id(struct mailtext *t, struct random_stream *r)
{
        mailtext_put(t, "<");
        corpus_token(t, r, random_between(r, 16, 40));
        mailtext_putf(t, "@%s>", corpus_domain(r));
}

static void put_name(struct mailtext *t, struct random_stream *r)
{
        if (random_chance(r, 60)) {
                const struct corpus_charset *c = corpus_charset(r);
                const char *phrase = corpus_phrase(r, c);

                mailtext_encoded_word(t, c->name, c->encoding, phrase, strlen(phrase));
        } else if (random_chance(r, 200)) {
                const char *last = corpus_last_name(r), *first = corpus_first_name(r);

                mailtext_putf(t, "\"%s, %s\"", last, first);
        } else {
                const char *first = corpus_first_name(r), *last = corpus_last_name(r);

                mailtext_putf(t, "%s %s", first, last);
        }
}

static void put_mailbox(struct mailtext *t, struct random_stream *r)
{
        put_name(t, r);
        mailtext_put(t, " <");
        corpus_token(t, r, random_between(r, 4, 14));
        mailtext_putf(t, "@%s>", corpus_domain(r));
}

static void put_mailboxes(struct mailtext *t, struct random_stream *r, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++) {
                if (i > 0)
                        mailtext_put(t, ",\n\t");
                put_mailbox(t, r);
        }
        mailtext_put(t, "\n");
}

static void put_received(struct mailtext *t, struct random_stream *r, int64_t date_s)
{
        uint32_t hops = random_between(r, 2, 7);

        for (uint32_t i = 0; i < hops; i++) {
                const char *from = corpus_domain(r), *by = corpus_domain(r);

                mailtext_putf(
                        t, "Received: from %s (%s [192.0.2.%u])\n\tby %s (Postfix) with ESMTPS id ",
                        from, from, random_below(r, 256), by);
                corpus_token(t, r, 11);
                mailtext_put(
                        t, "\n\t(version=TLSv1.3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);\n\t");
                put_date(t, date_s - (int64_t) i * random_between(r, 0, 3), 0);
                mailtext_put(t, "\n");
        }
}

/* put_folded_token() - what a signature looks like: base64 in folded lines */
static void put_folded_token(struct mailtext *t, struct random_stream *r, size_t n)
{
        for (size_t done = 0; done < n; done += 70) {
                if (done > 0)
                        mailtext_put(t, "\n\t ");
                corpus_token(t, r, n - done < 70 ? n - done : 70);
        }
}

static void put_signature(struct mailtext *t, struct random_stream *r, const char *header,
                          int64_t date_s)
{
        const char *domain = corpus_domain(r);
        uint32_t selector = random_below(r, 10000);

        mailtext_putf(t,
                      "%s: v=1; a=rsa-sha256; c=relaxed/relaxed; d=%s;\n\ts=s%u; t=%lld;\n\t"
                      "h=from:from:reply-to:subject:subject:date:date:message-id:message-id:\n\t "
                      "to:to:cc:mime-version:mime-version:content-type:content-type:\n\t "
                      "in-reply-to:in-reply-to:references:references;\n\tbh=",
                      header, domain, selector, (long long) date_s);
        corpus_token(t, r, 43);
        mailtext_put(t, "=;\n\tb=");
        put_folded_token(t, r, 344);
        mailtext_put(t, "\n");
}

static void put_verdicts(struct mailtext *t, struct random_stream *r)
{
        const char *by = corpus_domain(r), *signer = corpus_domain(r), *from = corpus_domain(r);
        uint32_t score = random_below(r, 100);

        mailtext_putf(t,
                      "Authentication-Results: %s;\n\tdkim=pass header.d=%s;\n\tspf=pass "
                      "smtp.mailfrom=%s;\n\tdmarc=pass (policy=none) header.from=%s\n",
                      by, signer, from, from);
        if (score < 60)
                mailtext_putf(t,
                              "X-Spam-Status: No, score=-%u.%u required=5.0 tests=BAYES_00,"
                              "DKIM_SIGNED,\n\tDKIM_VALID,DKIM_VALID_AU,HTML_MESSAGE,"
                              "RCVD_IN_DNSWL_MED,SPF_PASS\n\tautolearn=ham autolearn_force=no "
                              "version=4.0.0\nX-Spam-Level: \n",
                              score / 10, score % 10);
}

static void put_filters(struct mailtext *t, struct random_stream *r, int64_t date_s)
{
        put_signature(t, r, "DKIM-Signature", date_s);
        if (random_chance(r, 300))
                put_signature(t, r, "X-Original-DKIM-Signature", date_s);
        if (random_chance(r, 250)) {
                mailtext_putf(t, "ARC-Seal: i=1; a=rsa-sha256; d=%s; s=arc; cv=none; b=",
                              corpus_domain(r));
                put_folded_token(t, r, 344);
                mailtext_put(t, "\n");
        }
        put_verdicts(t, r);
}

static void put_subject(struct mailtext *t, struct random_stream *r)
{
        uint32_t n = random_between(r, 2, 9);

        mailtext_put(t, "Subject:");
        if (random_chance(r, 400))
                mailtext_put(t, " Re:");
        if (random_chance(r, 200)) {
                const struct corpus_charset *c = corpus_charset(r);

                for (uint32_t i = random_between(r, 1, 3); i > 0; i--) {
                        const char *phrase = corpus_phrase(r, c);

                        mailtext_put(t, i > 1 ? " " : "\n ");
                        mailtext_encoded_word(t, c->name, c->encoding, phrase, strlen(phrase));
                }
        } else {
                for (uint32_t i = 0; i < n; i++)
                        mailtext_putf(t, " %s", corpus_word(r));
        }
        mailtext_put(t, "\n");
}

static void put_thread(struct mailtext *t, struct random_stream *r)
{
        uint32_t n = random_between(r, 1, random_chance(r, 100) ? 40 : 6);

        mailtext_put(t, "In-Reply-To: ");
        put_id(t, r);
        mailtext_put(t, "\nReferences: ");
        for (uint32_t i = 0; i < n; i++) {
                if (i > 0)
                        mailtext_put(t, "\n\t");
                put_id(t, r);
        }
        mailtext_put(t, "\n");
}

static void put_list(struct mailtext *t, struct random_stream *r)
{
        const char *word = corpus_word(r), *domain = corpus_domain(r);

        mailtext_putf(t,
                      "List-Id: <%s.%s>\nList-Post: <mailto:%s@%s>\nList-Unsubscribe: "
                      "<https://%s/unsubscribe?u=",
                      word, domain, word, domain, domain);
        corpus_token(t, r, 48);
        mailtext_putf(t, ">,\n\t<mailto:%s-leave@%s>\nPrecedence: list\n", word, domain);
}

static void put_headers(struct corpus_message *m, struct random_stream *r)
{
        static const int32_t zones_minutes[] = { 0, 60, 120, -300, -480, 330, 540, -210 };
        struct mailtext *t = &m->content;
        int64_t sent_s;

        mailtext_put(t, "Return-Path: <");
        corpus_token(t, r, random_between(r, 6, 40));
        mailtext_putf(t, "@%s>\nDelivered-To: me@example.com\n", corpus_domain(r));
        put_received(t, r, m->date_s);
        put_filters(t, r, m->date_s);
        mailtext_put(t, "From: ");
        put_mailbox(t, r);
        mailtext_put(t, "\nTo: ");
        put_mailboxes(t, r, random_between(r, 1, 3));
        if (random_chance(r, 3)) {
                mailtext_put(t, "Cc: "); /* a whole department */
                put_mailboxes(t, r, random_between(r, 300, 1200));
        } else if (random_chance(r, 200)) {
                mailtext_put(t, "Cc: ");
                put_mailboxes(t, r, random_between(r, 1, 12));
        }
        put_subject(t, r);
        mailtext_put(t, "Date: ");
        sent_s = m->date_s - random_between(r, 1, 90);
        put_date(t, sent_s, zones_minutes[random_below(r, ELEMENTSOF(zones_minutes))]);
        mailtext_put(t, "\nMessage-ID: ");
        put_id(t, r);
        mailtext_put(t, "\n");
        if (random_chance(r, 550))
                put_thread(t, r);
        if (random_chance(r, 300))
                put_list(t, r);
        if (random_chance(r, 600))
                mailtext_putf(t, "User-Agent: Example Mailer 1.%u\n", random_below(r, 200));
        mailtext_put(t, "MIME-Version: 1.0\n");
}

/* A boundary never occurs inside a part: parts hold no line that starts with "--=_". */
static void make_boundary(char ret[48], struct random_stream *r)
{
        uint64_t high = random_next(r), low = random_next(r);

        (void) snprintf(ret, 48, "=_%016llx_%016llx", (unsigned long long) high,
                        (unsigned long long) low);
}

static void put_plain(struct mailtext *t, struct random_stream *r, size_t n_bytes)
{
        const struct corpus_charset *c = corpus_charset(r);
        struct mailtext raw = MAILTEXT_NULL;

        if (random_chance(r, 500)) {
                mailtext_put(t, "Content-Type: text/plain; charset=us-ascii\n"
                                "Content-Transfer-Encoding: 7bit\n\n");
                corpus_prose(t, r, n_bytes);
                return;
        }
        mailtext_putf(t, "Content-Type: text/plain; charset=%s; format=flowed\n", c->name);
        for (uint32_t i = random_between(r, 1, 4); i > 0; i--) {
                mailtext_put(&raw, corpus_phrase(r, c));
                mailtext_put(&raw, "\n\n");
        }
        corpus_prose(&raw, r, c->encoding == 'B' ? n_bytes * 3 / 4 : n_bytes);
        if (c->encoding == 'B') {
                mailtext_put(t, "Content-Transfer-Encoding: base64\n\n");
                mailtext_base64(t, raw.data, raw.used);
        } else if (random_chance(r, 500)) {
                mailtext_put(t, "Content-Transfer-Encoding: 8bit\n\n");
                mailtext_add(t, raw.data, raw.used);
        } else {
                mailtext_put(t, "Content-Transfer-Encoding: quoted-printable\n\n");
                mailtext_quoted_printable(t, raw.data, raw.used);
        }
        t->failed = t->failed || raw.failed;
        mailtext_done(&raw);
}

static void put_html(struct mailtext *t, struct random_stream *r, size_t n_bytes)
{
        mailtext_put(t, "Content-Type: text/html; charset=utf-8\n"
                        "Content-Transfer-Encoding: 8bit\n\n"
                        "<html><head><style>p { margin: 0 }</style></head><body>\n");
        for (size_t done = 0; done < n_bytes; done += 400) {
                mailtext_put(t, "<p style=\"font-family: sans-serif; font-size: 11pt\">\n");
                corpus_prose(t, r, n_bytes - done < 400 ? n_bytes - done : 400);
                mailtext_put(t, "</p>\n");
        }
        mailtext_put(t, "</body></html>\n");
}

static void put_alternative(struct mailtext *t, struct random_stream *r, size_t n_bytes)
{
        char boundary[48];

        make_boundary(boundary, r);
        mailtext_putf(t, "Content-Type: multipart/alternative;\n boundary=\"%s\"\n\n--%s\n",
                      boundary, boundary);
        put_plain(t, r, n_bytes / 3);
        mailtext_putf(t, "\n--%s\n", boundary);
        put_html(t, r, n_bytes * 2 / 3);
        mailtext_putf(t, "\n--%s--\n", boundary);
}

static void put_attachment(struct corpus_message *m, struct random_stream *r, size_t n_bytes)
{
        static const char *const types[][2] = { { "application/pdf", "pdf" },
                                                { "image/jpeg", "jpg" },
                                                { "application/zip", "zip" },
                                                { "image/png", "png" } };
        const char *const *type = types[random_below(r, ELEMENTSOF(types))];
        const char *word = corpus_word(r);
        uint32_t number = random_below(r, 1000);

        mailtext_putf(&m->content,
                      "Content-Type: %s;\n name=\"%s-%u.%s\"\nContent-Disposition: attachment\n"
                      "Content-Transfer-Encoding: base64\n\n",
                      type[0], word, number, type[1]);
        mailtext_clear(&m->scratch);
        corpus_bytes(&m->scratch, r, n_bytes);
        mailtext_base64(&m->content, m->scratch.data, m->scratch.used);
        m->content.failed = m->content.failed || m->scratch.failed;
}

/* put_mixed() - multipart/mixed of multipart/related of multipart/alternative, and attachments */
static void put_mixed(struct corpus_message *m, struct random_stream *r, size_t body_bytes,
                      size_t attached_bytes)
{
        uint32_t n = random_between(r, 1, 3);
        char outer[48], inner[48];

        make_boundary(outer, r);
        make_boundary(inner, r);
        mailtext_putf(&m->content,
                      "Content-Type: multipart/mixed;\n boundary=\"%s\"\n\n"
                      "This is a multi-part message in MIME format.\n--%s\n"
                      "Content-Type: multipart/related;\n boundary=\"%s\"\n\n--%s\n",
                      outer, outer, inner, inner);
        put_alternative(&m->content, r, body_bytes);
        mailtext_putf(&m->content, "\n--%s\n", inner);
        put_attachment(m, r, random_between(r, 400, 4000)); /* the logo of the signature */
        mailtext_putf(&m->content, "\n--%s--\n", inner);
        for (uint32_t i = 0; i < n; i++) {
                mailtext_putf(&m->content, "\n--%s\n", outer);
                put_attachment(m, r, attached_bytes / n);
        }
        mailtext_putf(&m->content, "\n--%s--\n", outer);
}

/* put_bounce() - multipart/report with the message that could not be delivered inside */
static void put_bounce(struct corpus_message *m, struct random_stream *r, size_t n_bytes)
{
        struct mailtext *t = &m->content;
        char boundary[48];

        make_boundary(boundary, r);
        mailtext_putf(t,
                      "Content-Type: multipart/report; report-type=delivery-status;\n"
                      " boundary=\"%s\"\n\n--%s\n",
                      boundary, boundary);
        put_plain(t, r, n_bytes / 2);
        mailtext_putf(t,
                      "\n--%s\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; %s\n\n"
                      "Final-Recipient: rfc822; nobody@example.org\nAction: failed\nStatus: 5.1.1\n"
                      "\n--%s\nContent-Type: message/rfc822\n\nFrom: ",
                      boundary, corpus_domain(r), boundary);
        put_mailbox(t, r);
        mailtext_put(t, "\nSubject: undelivered\nMIME-Version: 1.0\n");
        put_alternative(t, r, n_bytes / 2);
        mailtext_putf(t, "\n--%s--\n", boundary);
}

static void put_content(struct corpus_message *m, struct random_stream *r)
{
        uint64_t n = random_lognormal(r, MEDIAN_BYTES, SIGMA_E16);
        size_t header_bytes = m->content.used;
        size_t body_bytes =
                n > header_bytes + BODY_MIN_BYTES ? (size_t) n - header_bytes : BODY_MIN_BYTES;

        if (body_bytes > BODY_MAX_BYTES)
                body_bytes = BODY_MAX_BYTES;
        if (random_chance(r, ATTACHMENT_PER_MILLE))
                put_mixed(m, r, body_bytes,
                          (size_t) random_exp2(ATTACHMENT_MIN_BYTES,
                                               (int32_t) random_below(r, ATTACHMENT_OCTAVES_E16)) *
                                  3 / 4);
        else if (random_chance(r, 20))
                put_bounce(m, r, body_bytes);
        else if (random_chance(r, 550))
                put_alternative(&m->content, r, body_bytes);
        else
                put_plain(&m->content, r, body_bytes);
}

static void choose_flags(struct corpus_message *m, struct random_stream *r)
{
        static const struct {
                uint32_t per_mille;
                const char *flags;
        } habits[] = { { 620, "S" },  { 180, "RS" }, { 80, "" },   { 40, "FS" }, { 30, "ST" },
                       { 20, "FRS" }, { 15, "PS" },  { 10, "DS" }, { 5, "T" } };
        uint32_t at = random_below(r, 1000);
        size_t i = 0;

        m->is_new = random_chance(r, 40);
        while (i + 1 < ELEMENTSOF(habits) && at >= habits[i].per_mille)
                at -= habits[i++].per_mille;
        (void) snprintf(m->flags, sizeof m->flags, "%s", m->is_new ? "" : habits[i].flags);
}

int corpus_message_make(struct corpus_message *m, uint64_t seed, uint32_t index)
{
        struct random_stream r;
        uint32_t microseconds, process;

        random_seed(&r, seed, index);
        mailtext_clear(&m->content);
        m->date_s = FIRST_DATE_S + (int64_t) index * STEP_S + random_below(&r, STEP_S);
        choose_flags(m, &r);
        put_headers(m, &r);
        put_content(m, &r);
        if (m->content.failed)
                return -ENOMEM;
        microseconds = random_below(&r, 1000000);
        process = random_between(&r, 300, 32767);
        /* As MDAs name them: time, microseconds and process, host, and the size for quota. */
        (void) snprintf(m->file_name, sizeof m->file_name, "%lld.M%uP%uQ%u.mail,S=%zu,W=%zu",
                        (long long) m->date_s, microseconds, process, index, m->content.used,
                        m->content.used);
        return 0;
}
