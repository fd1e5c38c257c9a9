# Part of the launcher, see ../guidepost: what is installed where there is no checkout and no Java.
#
#   guidepost package         makes a deb, a tar.gz and the context of a container image in packages/target/packages, each with its
#                             own Java runtime; Maven's profile "packages" does the same
#   guidepost package try [ROOT]   makes them twice, compares them, and tries them in copies of a bare Debian in a folder, or in one
#                             that debootstrap makes: installs, upgrades, goes back, removes, purges; as root. Where systemd-nspawn
#                             and the root's systemd are, they boot it, and the unit is tried too: package-service.sh
#   guidepost package client [-Dgpg.keyname=KEY]   makes of the client for Java what Maven Central takes, target/guidepost-client-VERSION.zip:
#                             jar, sources, Javadoc, POM and that of its parent, with their sums, and signatures where a key is named.
#                             Nothing is uploaded
#
# The same commit gives the same bytes. SOURCE_DATE_EPOCH sets the time of all files.

made=$root/packages/target/packages

# Maven starts the program that makes them with the java of the path, where its own Java compiles.
PATH=$jdk/bin:$PATH
export PATH

# pack [PROPERTY ...]: builds everything that is shipped, and the packages of it.
pack() {
    maven -B -q -Ppackages -Dmaven.test.skip=true "$@" package -pl packages -am
}

case ${1:-} in
    '')
        lock
        pack || fail "the packages were not made; the lines above say why"
        unlock
        ls -l "$made" | awk 'NF > 8 { printf "%s  %.1f MB\n", $9, $5 / 1000000 }'
        exit
        ;;
    client)
        shift
        bundle=$root/target/publish
        lock
        rm -rf "$bundle" "$root"/target/guidepost-client-*.zip
        maven -B -q -Ppublish -Dmaven.test.skip=true "$@" deploy -pl .,clients/java || fail "the client was not made; the lines above say why"
        unlock
        # Of the folder as a repository; the one that takes the archive has its own.
        find "$bundle" -name 'maven-metadata*' -delete
        version=$(basename "$bundle"/io/guidepost/guidepost-client/*)
        client=$bundle/io/guidepost/guidepost-client/$version/guidepost-client-$version
        parent=$bundle/io/guidepost/guidepost/$version/guidepost-$version
        for each in "$client.jar" "$client-sources.jar" "$client-javadoc.jar" "$client.pom" "$parent.pom"; do
            for sum in md5 sha1; do
                [ "$("${sum}sum" <"$each" | cut -d ' ' -f 1)" = "$(cat "$each.$sum")" ] || fail "$each has another $sum, or none"
            done
        done
        archive=$root/target/guidepost-client-$version.zip
        jar --create --no-manifest --file "$archive" -C "$bundle" io || fail "no archive was made"
        jar --list --file "$archive" | grep -v '/$'
        echo "$archive"
        exit
        ;;
    try) ;;
    *) fail "guidepost package --help says what there is" ;;
esac

[ "$(id -u)" = 0 ] || fail "package try installs into a root of its own: run it as root"
base=${2:-}
work=$(mktemp -d /var/tmp/guidepost-package.XXXXXX) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
if [ -z "$base" ]; then
    base=$work/base
    debootstrap --variant=minbase --include=systemd-sysv,dbus bookworm "$base" >"$work/debootstrap.log" 2>&1 || fail "debootstrap: $(tail -n 1 "$work/debootstrap.log")"
fi
lock
for each in first second; do
    # With what says that they are built: the next run makes them anew.
    rm -rf "$root"/packages/target "$root"/*/target/guidepost-*.jar "$root"/*/target/classes "$root"/*/target/guidepost/built
    pack -Dpackage.folder="$work/$each" || fail "the packages were not made; the lines above say why"
done
pack -Dpackage.folder="$work/newer" -Dpackage.version=99.0 || fail "the packages were not made; the lines above say why"
unlock
trap 'rm -rf "$work"' EXIT
cd "$work/first" || exit
for each in *; do
    cmp "$each" "../second/$each" || fail "two builds of a commit differ"
    [ "$(wc -c <"$each")" -le 90000000 ] || fail "$each is larger than 90 MB"
    echo "equal in two builds: $each, $(wc -c <"$each") bytes"
done
systemd-analyze security --offline=true --threshold=25 --no-pager "$root/packages/src/files/root/usr/lib/systemd/system/guidepost.service" \
    >"$work/security" || fail "systemd-analyze: $(tail -n 1 "$work/security")"
tail -n 1 "$work/security"
# Mounts, processes and ports of its own: what is tried here meets nothing of this machine, and ends with it.
for each in deb archive container; do
    rm -rf "$work/root"
    cp -a "$base" "$work/root" || exit
    unshare --mount --pid --net --fork --kill-child sh "$root/tools/package-try.sh" "$each" "$work" || fail "package try: $each"
done

# The unit, where systemd runs it.
if ! command -v systemd-nspawn >/dev/null || [ ! -x "$base/usr/lib/systemd/systemd" ]; then
    echo "service: not tried, as systemd-nspawn (apt: systemd-container) or the root's systemd is missing" >&2
    exit
fi
rm -rf "$work/root"
cp -a "$base" "$work/root" || exit
cp ./*.deb "$work/root/var/tmp/first.deb"
cp ../newer/*.deb "$work/root/var/tmp/newer.deb"
cp "$root/tools/package-service.sh" "$work/root/var/tmp"
systemd-nspawn --boot --register=no --keep-unit --private-network --directory="$work/root" </dev/null >"$work/boot.log" 2>&1 &
booted=$!
trap 'kill "$booted" 2>/dev/null; wait "$booted"; rm -rf "$work"' EXIT
until first=$(ps -o pid= --ppid "$booted" | head -n 1) && [ -n "$first" ] \
        && nsenter -t "$first" -a systemctl --quiet is-active multi-user.target 2>/dev/null; do
    kill -0 "$booted" 2>/dev/null || fail "systemd-nspawn: $(tail -n 1 "$work/boot.log")"
    sleep 0.2
done
nsenter -t "$first" -a sh /var/tmp/package-service.sh /var/tmp/first.deb /var/tmp/newer.deb || fail "package try: service"
