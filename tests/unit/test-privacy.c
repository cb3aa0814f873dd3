/* tests/unit/test-privacy.c - secrets and identifiers in foreign text, by kind */
#include "tests/test.h"
#include <string.h>
#include "machine/privacy.h"

/* @secret must be gone, @stays must be there. */
static const struct clean_case {
        const char *what, *from, *secret, *stays;
} cmdline_cases[] = {
        { "nothing to hide", "ro quiet mitigations=off preempt=full", "<removed>",
          "ro quiet mitigations=off preempt=full" },
        { "a LUKS key file", "rd.luks.key=/boot/the-key:UUID=1 quiet", "the-key", "quiet" },
        { "a password", "rescue.password=hunter2", "hunter2", "rescue.password=" },
        { "upper case", "FOO_PASSWORD=hunter2", "hunter2", "FOO_PASSWORD=" },
        { "a token", "agent.token=abcd", "abcd", "agent.token=" },
        { "a WireGuard key", "wg.wg0.privatekey=sEcReT= ro", "sEcReT", " ro" },
        { "a WireGuard key with a dash", "wg-private-key=sEcReT", "sEcReT", "wg-private-key=" },
        { "a credential", "systemd.set_credential=passwd.hashed:x1y2", "x1y2", "systemd.set" },
        { "a quoted secret with blanks", "a.pass=\"open sesame\" quiet", "sesame", " quiet" },
        { "a whole quoted parameter", "\"a.pass=open sesame\" quiet", "sesame", " quiet" },
        { "iSCSI credentials", "netroot=iscsi:joe:pw1:x:pw2@10.0.0.9::3260::iqn.t", "pw1", "netroot=" },
        { "the target of iSCSI", "netroot=iscsi:@10.0.0.9::3260::iqn.2001.org:pluto ro", "pluto", " ro" },
        { "iSCSI credentials, the second", "netroot=iscsi:joe:pw1:x:pw2@10.0.0.9::3260::iqn", "pw2",
          "netroot=" },
        { "credentials in a URL", "url=https://joe:pw@example.org/k.cfg", "joe:pw", "https://" },
        { "credentials in a bare word", "https://joe:pw@example.org/k.cfg", "joe", "https://" },
        { "a user in a URL", "url=ftp://joe@example.org/", "joe", "ftp://" },
        { "a UUID", "root=UUID=1b2c3d4e-aaaa-bbbb-cccc-0123456789ab ro", "1b2c3d4e", "root=UUID=" },
        { "a FAT serial", "root=UUID=1A2B-3C4D ro", "1A2B", " ro" },
        { "a LUKS name", "rd.luks.name=1b2c3d4e-aaaa-bbbb-cccc-0123456789ab=root", "0123456789ab",
          "rd.luks.name=" },
        { "a mapping made of a UUID", "root=/dev/mapper/luks-1b2c3d4e-aaaa-bbbb-cccc-0123456789ab",
          "1b2c3d4e", "/dev/mapper/" },
        { "a volume group named after the host", "root=/dev/mapper/pluto--vg-root ro", "pluto",
          "root=/dev/mapper/" },
        { "the same as a folder", "root=/dev/pluto-vg/root ro", "pluto", "root=/dev/" },
        { "a logical volume", "rd.lvm.lv=pluto-vg/root", "pluto", "rd.lvm.lv=" },
        { "cryptdevice", "cryptdevice=/dev/sda2:pluto-crypt", "pluto", "cryptdevice=/dev/sda2" },
        { "a MAC address", "ifname=lan:52:54:00:aa:bb:cc", "54:00", "ifname=" },
        { "a PXE MAC address", "BOOTIF=01-52-54-00-aa-bb-cc", "54-00", "BOOTIF=" },
        { "addresses and a host", "ip=10.1.2.3::10.1.2.1:255.255.255.0:pluto:eth0:off", "10.1.2.3",
          "ip=" },
        { "the host in ip=", "ip=10.1.2.3::10.1.2.1:255.255.255.0:pluto:eth0:off", "pluto", "ip=" },
        { "an IPv6 address", "rd.route=[2001:db8::17]:lan", "2001:db8", "rd.route=" },
        { "a host name", "systemd.hostname=pluto", "pluto", "systemd.hostname=" },
        { "a machine id", "systemd.machine_id=0123456789abcdef0123456789abcdef", "0123456789abcdef",
          "systemd.machine_id=" },
        { "a label", "root=LABEL=pluto-root", "pluto", "root=LABEL=" },
        { "an md UUID", "rd.md.uuid=01234567:89abcdef:01234567:89abcdef", "89abcdef", "rd.md.uuid=" },
        { "a ZFS root", "root=ZFS=pluto/ROOT/debian", "pluto", "root=ZFS=" },
        { "the folder of an NFS root", "nfsroot=10.0.0.1:/srv/pluto,vers=4 ro", "pluto", " ro" },
        { "an NFS root", "nfsroot=10.0.0.1:/srv/pluto,vers=4", "10.0.0.1", "nfsroot=" },
        { "a crypt key", "cryptkey=/dev/sdb1:ext4:/k", "/k", "cryptkey=" },
        { "a link of a drive", "root=/dev/disk/by-id/ata-ST9160310AS_5SV00000", "5SV0",
          "root=/dev/disk/by-" },
        { "an array named after the host", "root=/dev/md/pluto:0", "pluto", "root=/dev/md/" },
        { "a plain device stays", "root=/dev/sda2 ro", "hmac:", "root=/dev/sda2 ro" },
        { "a keymap is no key", "vconsole.keymap=de rd.vconsole.keymap=de", "<removed>",
          "vconsole.keymap=de" },
        { "a version is no address", "BOOT_IMAGE=/vmlinuz-5.10.0.1 ro", "<removed>",
          "/vmlinuz-5.10.0.1" },
        { "a PCI address is none", "pci=0000:00:1f.2 vfio=8086:1234", "hmac:", "0000:00:1f.2" },
        { "a time is none", "start=12:34:56", "hmac:", "12:34:56" },
        { "hexadecimal is none", "memmap=0x1000$0xdeadbeef00", "hmac:", "0xdeadbeef00" },
}, option_cases[] = {
        { "plain options", "rw,relatime,data=ordered", "<removed>", "rw,relatime,data=ordered" },
        { "an SMB password", "rw,username=joe,password=pw,vers=3", "pw", "vers=3" },
        { "an SMB user", "rw,username=joe,password=pw,vers=3", "joe", "vers=3" },
        { "an SMB user, short", "rw,user=joe,vers=3", "joe", "vers=3" },
        { "a Ceph secret", "name=admin,secret=AQB,mds", "AQB", "mds" },
        { "NFS addresses", "rw,clientaddr=10.0.0.5,addr=10.0.0.1", "10.0.0.", "clientaddr=" },
        { "a subvolume is kept", "rw,subvolid=256,subvol=/@", "<removed>", "subvol=/@" },
        { "overlay folders", "rw,lowerdir=/var/lib/c/l/ABC:/x,upperdir=/var/lib/c/u", "ABC",
          "rw,lowerdir=" },
};

static struct machine_context context(void)
{
        struct machine_context m = MACHINE_CONTEXT_NULL;

        m.has_key = true;
        memset(m.key, 7, sizeof m.key);
        return m;
}

static void check(const struct clean_case *c,
                  char *clean(const struct machine_context *, const char *))
{
        struct machine_context m = context();
        CLEANUP(freep) char *with_key = clean(&m, c->from), *without_key = NULL;

        m.has_key = false;
        without_key = clean(&m, c->from);
        assert_non_null(with_key);
        assert_non_null(without_key);
        if (strstr(with_key, c->secret) || strstr(without_key, c->secret) ||
            !strstr(with_key, c->stays))
                fail_msg("%s -> %s", c->from, with_key);
}

static void check_cmdline(void **state) { check(*state, privacy_clean_cmdline); }

static void check_options(void **state) { check(*state, privacy_clean_options); }

/* A changed root device has to show, and an unchanged one not to. */
static void hidden_values_stay_apart(void **state)
{
        struct machine_context m = context();
        CLEANUP(freep)
        char *one = privacy_clean_cmdline(&m, "root=UUID=1A2B-3C4D"),
             *again = privacy_clean_cmdline(&m, "root=UUID=1A2B-3C4D"),
             *other = privacy_clean_cmdline(&m, "root=UUID=1A2B-3C4E"), *keyed = NULL;

        (void) state;
        m.key[0] = 1;
        keyed = privacy_clean_cmdline(&m, "root=UUID=1A2B-3C4D");
        assert_string_equal(one, again);
        assert_string_not_equal(one, other);
        assert_string_not_equal(one, keyed);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cmdline_cases) + ELEMENTSOF(option_cases) + 1];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(cmdline_cases); i++)
                tests[n++] = (struct CMUnitTest){
                        .name = cmdline_cases[i].what,
                        .test_func = check_cmdline,
                        .initial_state = (void *) (uintptr_t) &cmdline_cases[i],
                };
        for (size_t i = 0; i < ELEMENTSOF(option_cases); i++)
                tests[n++] = (struct CMUnitTest){
                        .name = option_cases[i].what,
                        .test_func = check_options,
                        .initial_state = (void *) (uintptr_t) &option_cases[i],
                };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(hidden_values_stay_apart);
        return _cmocka_run_group_tests("privacy", tests, n, NULL, NULL);
}
