/* collectors/corpus_words.c - names, words and phrases; changing any of them changes every corpus,
 * so CORPUS_LAW in corpus.h must then be raised */
#include "collectors/corpus_words.h"
#include <string.h>

#define LINE_COLUMNS 72
#define PARAGRAPH_LINES 9
#define UTF8_PER_MILLE 800
#define UTF8_CHARSETS 2 /* the first ones */

static const struct corpus_charset charsets[] = {
        { "utf-8",
          'Q',
          { "Grüße und schöne Ferien", "Ça marche à présent", "Żółta łódź", "Σας ευχαριστώ",
            "naïve café" } },
        { "utf-8",
          'B',
          { "Протокол совещания", "会議の議事録", "회의록 첨부", "Отчёт за ноябрь", "お知らせ" } },
        /* Grüße aus München, Überweisung für März, Prüfung der Änderungen, déjà reçu */
        { "iso-8859-1",
          'Q',
          { "Gr\374\337e aus M\374nchen", "\334berweisung f\374r M\344rz",
            "Pr\374fung der \304nderungen", "d\351j\340 re\347u" } },
        /* Счёт за ноябрь, Новое расписание, Ответ на письмо */
        { "koi8-r",
          'B',
          { "\363\336\243\324 \332\301 \316\317\321\302\322\330",
            "\356\317\327\317\305 \322\301\323\320\311\323\301\316\311\305",
            "\357\324\327\305\324 \316\301 \320\311\323\330\315\317" } },
        /* 会議の件, 見積書の送付, 来週の予定 */
        { "iso-2022-jp",
          'B',
          { "\033$B2q5D$N7o\033(B", "\033$B8+@Q=q$NAwIU\033(B", "\033$BMh=5$NM=Dj\033(B" } },
        /* Angebot für Sie – 20 €, “Quoted” résumé, L’équipe à Genève */
        { "windows-1252",
          'Q',
          { "Angebot f\374r Sie \226 20 \200", "\223Quoted\224 r\351sum\351",
            "L\222\351quipe \340 Gen\350ve" } },
        /* 关于会议的通知, 发票已寄出 */
        { "gb2312",
          'B',
          { "\271\330\323\332\273\341\322\351\265\304\315\250\326\252",
            "\267\242\306\261\322\321\274\304\263\366" } },
        /* Příloha ke smlouvě, Żądanie zapłaty */
        { "iso-8859-2", 'Q', { "P\370\355loha ke smlouv\354", "\257\261danie zap\263aty" } },
};

static const char *const first_names[] = {
        "Ada",   "Alan",  "Barbara", "Brian", "Chen",  "Dennis", "Donald", "Edsger",
        "Elena", "Frank", "Grace",   "Hedy",  "Ivan",  "Jean",   "Ken",    "Leslie",
        "Linus", "Maria", "Niklaus", "Olga",  "Peter", "Radia",  "Sofia",  "Tony",
};

static const char *const last_names[] = {
        "Adler",  "Becker", "Castillo", "Dubois", "Eriksen", "Fischer", "Garcia", "Hopper",
        "Ivanov", "Jensen", "Kowalski", "Lange",  "Moreau",  "Novak",   "Olsen",  "Petrov",
        "Quinn",  "Rossi",  "Santos",   "Tanaka", "Ullman",  "Varga",   "Weber",  "Zhang",
};

/* RFC 2606 keeps these names out of the real world. */
static const char *const domains[] = {
        "example.com",       "example.org",      "example.net",        "mail.example.com",
        "lists.example.org", "corp.example",     "mx1.example.net",    "users.example.org",
        "shop.example",      "news.example.com", "university.example", "smtp-out.example.net",
};

static const char *const words[] = {
        "the",     "of",       "and",     "to",      "a",        "in",       "is",      "that",
        "for",     "it",       "on",      "with",    "as",       "was",      "be",      "this",
        "have",    "are",      "not",     "but",     "from",     "they",     "which",   "will",
        "there",   "would",    "their",   "what",    "about",    "if",       "when",    "can",
        "more",    "disk",     "kernel",  "machine", "patch",    "release",  "meeting", "report",
        "version", "problem",  "please",  "thanks",  "attached", "question", "answer",  "system",
        "build",   "test",     "network", "server",  "file",     "folder",   "message", "change",
        "again",   "tomorrow", "before",  "after",   "because",  "probably", "little",  "while",
};

#define PICK(r, array) ((array)[random_below((r), sizeof(array) / sizeof((array)[0]))])

const struct corpus_charset *corpus_charset(struct random_stream *r) { return &PICK(r, charsets); }

const char *corpus_phrase(struct random_stream *r, const struct corpus_charset *c)
{
        uint32_t n = 0;

        while (n < ELEMENTSOF(c->phrases) && c->phrases[n])
                n++;
        return c->phrases[random_below(r, n)];
}

const char *corpus_first_name(struct random_stream *r) { return PICK(r, first_names); }

const char *corpus_last_name(struct random_stream *r) { return PICK(r, last_names); }

const char *corpus_domain(struct random_stream *r) { return PICK(r, domains); }

const char *corpus_word(struct random_stream *r) { return PICK(r, words); }

void corpus_prose(struct mailtext *t, struct random_stream *r, size_t n_bytes)
{
        size_t end = t->used + n_bytes, column = 0, lines = 0;

        while (t->used < end && !t->failed) {
                const char *word = corpus_word(r);
                size_t n = strlen(word);

                if (column > 0 && column + 1 + n > LINE_COLUMNS) {
                        mailtext_put(t, ++lines % PARAGRAPH_LINES ? "\n" : "\n\n");
                        column = 0;
                }
                if (column > 0) {
                        mailtext_add(t, " ", 1);
                        column++;
                }
                mailtext_add(t, word, n);
                column += n;
        }
        mailtext_put(t, "\n");
}

void corpus_token(struct mailtext *t, struct random_stream *r, size_t n)
{
        static const char set[] =
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

        while (n > 0 && !t->failed) {
                char chunk[10];
                size_t k = n < sizeof chunk ? n : sizeof chunk;
                uint64_t bits = random_next(r);

                for (size_t i = 0; i < k; i++, bits >>= 6)
                        chunk[i] = set[bits & 63];
                mailtext_add(t, chunk, k);
                n -= k;
        }
}

void corpus_bytes(struct mailtext *t, struct random_stream *r, size_t n_bytes)
{
        while (n_bytes > 0 && !t->failed) {
                unsigned char chunk[8];
                uint64_t bits = random_next(r);
                size_t n = n_bytes < sizeof chunk ? n_bytes : sizeof chunk;

                for (size_t i = 0; i < sizeof chunk;
                     i++, bits >>= 8) /* the same on any byte order */
                        chunk[i] = (unsigned char) bits;
                mailtext_add(t, chunk, n);
                n_bytes -= n;
        }
}
