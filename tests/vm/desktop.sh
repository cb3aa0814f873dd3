# shellcheck shell=sh disable=SC2154
# tests/vm/desktop.sh: for images with a desktop, which source it: a person, a session of theirs that opens
# terminals once its window manager is there, and a display manager that lets them in.

# add_person: with a password, and an X server that is not slowed down by what it would only refuse
add_person() {
        chroot "$tree" useradd -m -s /bin/bash lab
        chroot "$tree" sh -c 'echo lab:lab | chpasswd'
        mkdir -p "$tree/etc/X11/xorg.conf.d"
        # Else Xorg loads a software renderer of OpenGL only to refuse it
        printf 'Section "Device"\nIdentifier "card"\nDriver "modesetting"\nOption "AccelMethod" "none"\nEndSection\n' \
                >"$tree/etc/X11/xorg.conf.d/lab.conf"
}

# add_session COUNT MANAGER...: of X, the only one there is; the window manager's command, and how many
# terminals
add_session() {
        count=$1
        shift
        rm -rf "$tree/usr/share/xsessions"
        mkdir -p "$tree/usr/share/xsessions"
        printf '[Desktop Entry]\nType=Application\nName=lab\nExec=/usr/local/bin/lab-session\n' \
                >"$tree/usr/share/xsessions/lab.desktop"
        cat >"$tree/usr/local/bin/lab-session" <<TEXT
#!/bin/sh
# xprop is what another witness sees of the window manager. It never sees a property whose name nobody has
# used yet when it starts.
xprop -root -f _NET_SUPPORTING_WM_CHECK 32c -set _NET_SUPPORTING_WM_CHECK 0
xprop -root -remove _NET_SUPPORTING_WM_CHECK
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

# add_lightdm: which logs that person in by itself, but with lab.greeter on the kernel's command line
add_lightdm() {
        mkdir -p "$tree/etc/lightdm/lightdm.conf.d" "$tree/etc/systemd/system/lightdm.service.d"
        printf '[Seat:*]\nuser-session=lab\n' >"$tree/etc/lightdm/lightdm.conf.d/lab.conf"
        printf '[Seat:*]\nautologin-user=lab\nautologin-session=lab\n' \
                >"$tree/etc/lightdm/lightdm.conf.d/lab-autologin.conf"
        printf '[Service]\nExecStartPre=/bin/sh -c "! grep -q lab.greeter /proc/cmdline || rm -f /etc/lightdm/lightdm.conf.d/lab-autologin.conf"\n' \
                >"$tree/etc/systemd/system/lightdm.service.d/lab.conf"
}

# add_desktop COUNT MANAGER...: all of it, and the terminals are what bootlap is told to wait for
add_desktop() {
        add_person
        add_session "$@"
        add_lightdm
        mkdir -p "$tree/etc/bootlap"
        printf '[desktop]\nwindow = class=XTerm count=%s\n' "$1" >"$tree/etc/bootlap/bootlap.conf"
}
