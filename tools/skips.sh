# Part of the launcher, see ../guidepost: a test that was skipped without leave is a failure.
#
# As root on Debian, where .ci/run installs what tests need, none may be skipped but those that tools/skips.txt lists with the reason,
# and those that want real tables where there are none. Elsewhere what was skipped is told.

# Prints CLASS#METHOD and the reason of each skipped test.
skipped() {
    find "$root" -path '*/target/surefire-reports/TEST-*.xml' -exec cat {} + | tr '\n' ' ' | sed 's/<testcase /\n<testcase /g' \
        | sed -n 's/^<testcase name="\([^"({]*\)[^"]*" classname="\([^"]*\)"[^>]*> *<skipped\(.*\)/\2#\1\t\3/p' \
        | sed 's/^[^\t]*\.\([A-Za-z0-9_$]*#\)/\1/; s/\t.*Assumption failed: /\t/; s/\t\([^\t]*\)\t.*/\t\1/' | cut -c 1-200 | sort -u
}

# Reads those, and prints the ones that nothing allows.
unlisted() {
    while IFS="$(printf '\t')" read -r name reason; do
        case $reason in
            *'set TEST_'*) [ -d "$root/../shared" ] || continue ;;
        esac
        grep -Eq "^(${name%%#*}|$name) " "$root/tools/skips.txt" || echo "    $name: ${reason:-no reason given}"
    done
}

left=$(skipped | unlisted)
if [ -n "$left" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "guidepost: skipped, though tools/skips.txt does not allow it:" >&2
        echo "$left" >&2
        exit 1
    fi
    echo "guidepost: skipped on this machine (as root on Debian it would be a failure):" >&2
    echo "$left" >&2
fi
