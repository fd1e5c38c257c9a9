# Part of guidepost package try: tries the unit of the deb where systemd runs, in a container that systemd-nspawn has booted.
#
#   package-service.sh DEB NEWER     two versions of the package
set -eu
export DEBIAN_FRONTEND=noninteractive
token=/etc/guidepost/admin.token

say() {
    echo "service: $1"
}

fail() {
    say "$1" >&2
    systemctl --no-pager status guidepost >&2 || :
    journalctl --no-pager -u guidepost -n 40 >&2
    exit 1
}

# shows WANTED...: what systemd knows of the unit.
shows() {
    for each; do
        systemctl show guidepost | grep -qx "$each" || fail "$each is wanted, and it is $(systemctl show guidepost | grep "^${each%%=*}=")"
    done
}

main_process() {
    systemctl show -p MainPID --value guidepost
}

install() {
    apt-get install -y --allow-downgrades "$1" >/var/tmp/apt.log 2>&1 || fail "apt-get install $1: $(tail -n 3 /var/tmp/apt.log)"
}

# Asks until there is a file, and says what was not answered: each by a process and a socket of its own.
ask() {
    while [ ! -e /var/tmp/enough ]; do
        guidepost get printer >/dev/null 2>/var/tmp/error || echo "not answered: $(cat /var/tmp/error)"
    done
}

install "$1"
shows ActiveState=active SubState=running NRestarts=0
guidepost put printer 192.0.2.1:7000 >/dev/null
say "installed, started, and ready"
before=$(main_process)
ask >/var/tmp/asked &
asking=$!
install "$2"
next=$(main_process)
[ "$next" != "$before" ] || fail "the process before is still the main one: $(cat /var/tmp/apt.log)"
shows ActiveState=active SubState=running NRestarts=0
while kill -0 "$before" 2>/dev/null; do sleep 0.1; done
: >/var/tmp/enough
wait "$asking"
[ ! -s /var/tmp/asked ] || fail "an upgrade of the package loses requests: $(head -n 3 /var/tmp/asked)"
say "a newer package took over without a gap, and systemd knows the new process"
systemctl reload guidepost || fail "no reload"
# It tells its end itself.
until systemctl show guidepost | grep -qx ActiveState=active; do sleep 0.1; done
shows ActiveState=active "MainPID=$next"
# The unit's watchdog, and some more.
sleep 25
shows ActiveState=active "MainPID=$next" NRestarts=0
say "the new process beats"
systemctl stop guidepost || fail "no stop"
shows ActiveState=inactive Result=success
say "and ends in order"
systemctl start guidepost
guidepost upgrade --token-file "$token" >/dev/null || fail "no upgrade"
kill -9 "$(main_process)"
until [ "$(systemctl show -p NRestarts --value guidepost)" = 1 ] && systemctl --quiet is-active guidepost; do sleep 0.1; done
guidepost get printer | grep -q "^192\.0\.2\.1:7000" || fail "a record is lost"
say "one that was killed after an upgrade is started again"
# A version that does not start: the one that runs goes on, over a package too.
before=$(main_process)
cp -p /etc/guidepost/guidepost.toml /var/tmp/guidepost.toml
printf '[gnrs2]\nport = 1\n' >>/etc/guidepost/guidepost.toml
guidepost upgrade --token-file "$token" >/dev/null 2>&1 && fail "a broken configuration is taken"
install "$1"
shows ActiveState=active "MainPID=$before"
say "where the new version refuses the configuration the old process goes on"
cp -p /var/tmp/guidepost.toml /etc/guidepost/guidepost.toml
systemctl restart guidepost
guidepost get printer | grep -q "^192\.0\.2\.1:7000" || fail "a record is lost"
systemctl stop guidepost || fail "no stop"
shows Result=success
