# Part of guidepost package try: tries one package in a Debian root of its own, in namespaces of its own.
#
#   package-try.sh deb|archive|container WORK     WORK has the root, and the packages in the folders first and newer
set -eu

what=$1
work=$2
root=$work/root
records=8

say() {
    echo "$what: $1"
}

fail() {
    say "$1" >&2
    exit 1
}

ip link set lo up
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount -t devtmpfs dev "$root/dev" 2>/dev/null || mount --rbind /dev "$root/dev"
mount -t tmpfs tmp "$root/tmp"

in_root() {
    chroot "$root" "$@"
}

in_root sh -c '! command -v java' >/dev/null || fail "this root has Java: it shows nothing"

# serve USER COMMAND ...: starts a server in the root, and waits until it answers.
serve() {
    user=$1
    shift
    chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups "$@" >"$work/serve.log" 2>&1 &
    server=$!
    # 3 is the answer that there is no such name.
    until answered=0; in_root "$guidepost" get no-such-name >/dev/null 2>&1 || answered=$?; [ "$answered" = 3 ]; do
        kill -0 "$server" || { cat "$work/serve.log" >&2; fail "the server has ended"; }
    done
}

stop() {
    kill "$server"
    wait "$server" || fail "the server ended with $?"
}

put_records() {
    i=0
    while [ "$i" -lt "$records" ]; do
        in_root "$guidepost" put "record-$i" "192.0.2.$i:7000"
        i=$((i + 1))
    done
}

# Every record is where it was.
records_are_there() {
    i=0
    while [ "$i" -lt "$records" ]; do
        in_root "$guidepost" get "record-$i" | grep -q "^192\.0\.2\.$i:7000" || fail "$1: record $i is lost"
        i=$((i + 1))
    done
    say "$1: all $records records are there"
}

install() {
    cp "$1" "$root/var/tmp/guidepost.deb"
    in_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --allow-downgrades /var/tmp/guidepost.deb >"$work/apt.log" 2>&1 || {
        cat "$work/apt.log" >&2
        fail "apt-get install $1"
    }
}

serve_installed() {
    serve guidepost guidepost serve --config /etc/guidepost/guidepost.toml
}

guidepost=guidepost
case $what in
    deb)
        install "$work"/first/*.deb
        [ -s "$root/usr/lib/guidepost/guidepost.aot" ] || fail "no start-up cache: $(cat "$work/apt.log")"
        in_root bash -n /usr/share/bash-completion/completions/guidepost
        serve_installed
        say "installed, and answers without Java: $(in_root guidepost --version | head -n 1)"
        in_root setpriv --reuid nobody --regid nogroup --clear-groups cat /etc/guidepost/admin.token >/dev/null 2>&1 && fail "anyone reads the token"
        in_root guidepost reload 2>/dev/null && fail "a reload needs no token"
        in_root guidepost reload --token-file /etc/guidepost/admin.token >/dev/null || fail "no reload with the token"
        put_records
        stop
        serve_installed
        records_are_there "a restart"
        # An upgrade while the server answers: it goes on.
        install "$work"/newer/*.deb
        records_are_there "an upgrade under a running server"
        stop
        serve_installed
        records_are_there "the newer version"
        stop
        install "$work"/first/*.deb
        serve_installed
        records_are_there "the older version again"
        stop
        echo "# changed" >>"$root/etc/guidepost/guidepost.toml"
        in_root apt-get remove -y guidepost >"$work/apt.log" 2>&1 || fail "remove: $(cat "$work/apt.log")"
        [ ! -e "$root/usr/lib/guidepost" ] || fail "remove leaves $(cd "$root" && find usr/lib/guidepost)"
        [ -d "$root/var/lib/guidepost/store" ] || fail "remove deletes the records"
        install "$work"/first/*.deb
        grep -q "# changed" "$root/etc/guidepost/guidepost.toml" || fail "remove and install lose the configuration"
        serve_installed
        records_are_there "removed and installed again"
        stop
        in_root apt-get purge -y guidepost >"$work/apt.log" 2>&1 || fail "purge: $(cat "$work/apt.log")"
        for each in /var/lib/guidepost /etc/guidepost /usr/lib/guidepost /usr/bin/guidepost; do
            [ ! -e "$root$each" ] || fail "purge leaves $each"
        done
        ! in_root getent passwd guidepost >/dev/null || fail "purge leaves the user"
        say "purge leaves nothing"
        ;;
    archive)
        tar -xzf "$work"/first/*linux*.tar.gz -C "$root/opt"
        chown -R 1234:1234 "$root"/opt/guidepost-*
        guidepost=/opt/$(ls "$root/opt")/guidepost
        serve 1234 env HOME=/tmp "$guidepost" serve --demo
        # What it tells ends with this line.
        until grep -q "Ctrl-C ends" "$work/serve.log"; do
            kill -0 "$server" || { cat "$work/serve.log" >&2; fail "the server has ended"; }
        done
        [ "$(in_root "$guidepost" get printer | wc -l)" = 2 ] || fail "no answer"
        say "unpacked, and answers without Java"
        stop
        ;;
    container)
        mkdir "$work/context"
        tar -xzf "$work"/first/*container*.tar.gz -C "$work/context" --strip-components=1
        # What an engine would do with these lines, as far as they are used.
        user=root
        while read -r word rest; do
            case $word in
                COPY)
                    from=${rest% *} to=${rest#* }
                    mkdir -p "$root$(dirname "$to")"
                    if [ -d "$work/context/$from" ]; then cp -a "$work/context/$from/." "$root$to"; else cp "$work/context/$from" "$root$to"; fi
                    ;;
                RUN) in_root sh -c "$rest" || fail "RUN $rest" ;;
                USER) user=$rest ;;
                ENTRYPOINT) command=$rest ;;
                CMD) command="$command $rest" ;;
            esac
        done <"$work/context/Containerfile"
        [ -s "$root/usr/lib/guidepost/guidepost.aot" ] || fail "no start-up cache"
        command=$(echo "$command" | tr -d '[],"')
        # shellcheck disable=SC2086
        serve "$user" env --chdir=/var/lib/guidepost $command
        put_records
        stop
        # shellcheck disable=SC2086
        serve "$user" env --chdir=/var/lib/guidepost $command
        records_are_there "started again on its volume"
        stop
        say "runs as its image would"
        ;;
esac
