# shellcheck shell=sh disable=SC2154
# tests/vm/desktop.sh: for images with a desktop, which source it: a person whom lightdm logs in, and a
# session that opens terminals once its window manager is there.

# add_desktop COUNT MANAGER...: the window manager's command, and how many terminals
add_desktop() {
        count=$1
        shift
        chroot "$tree" useradd -m -s /bin/bash lab
        chroot "$tree" sh -c 'echo lab:lab | chpasswd'
        mkdir -p "$tree/etc/bootlap" "$tree/etc/lightdm/lightdm.conf.d" "$tree/etc/X11/xorg.conf.d"
        printf '[desktop]\nwindow = class=XTerm count=%s\n' "$count" >"$tree/etc/bootlap/bootlap.conf"
        printf '[Seat:*]\nautologin-user=lab\nautologin-session=lab\nuser-session=lab\n' \
                >"$tree/etc/lightdm/lightdm.conf.d/lab.conf"
        # Else Xorg loads a software renderer of OpenGL only to refuse it
        printf 'Section "Device"\nIdentifier "card"\nDriver "modesetting"\nOption "AccelMethod" "none"\nEndSection\n' \
                >"$tree/etc/X11/xorg.conf.d/lab.conf"
        mkdir -p "$tree/usr/share/xsessions"
        printf '[Desktop Entry]\nType=Application\nName=lab\nExec=/usr/local/bin/lab-session\n' \
                >"$tree/usr/share/xsessions/lab.desktop"
        cat >"$tree/usr/local/bin/lab-session" <<TEXT
#!/bin/sh
# xprop is what another witness sees of the window manager
xprop -root -spy _NET_SUPPORTING_WM_CHECK | while read -r line; do
        read -r uptime rest </proc/uptime
        echo "\$uptime \$line"
done >"\$HOME/xprop.log" &
{
        until grep -q 'window id' "\$HOME/xprop.log"; do sleep 0.5; done
        for i in \$(seq $count); do xterm -bg blue -fg white & done
} &
exec $*
TEXT
        chmod 755 "$tree/usr/local/bin/lab-session"
}
