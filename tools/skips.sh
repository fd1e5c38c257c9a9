# Part of the launcher, see ../guidepost: a test that was skipped without leave is a failure.
#
# tools/skips.txt lists which tests may be skipped, where and why. As root on Debian, where .ci/run installs what they need, only those
# for "anywhere" may; elsewhere those for "elsewhere" may too.

# Prints CLASS#METHOD and the reason of each skipped test.
skipped() {
    find "$root" -path '*/target/surefire-reports/TEST-*.xml' -exec cat {} + | tr '\n' ' ' | sed 's/<testcase /\n<testcase /g' \
        | sed -n 's/^<testcase name="\([^"({]*\)[^"]*" classname="\([^"]*\)"[^>]*> *<skipped\( message="\([^"]*\)"\)\{0,1\}.*/\2#\1\t\4/p' \
        | sed 's/[^\t]*\.\([A-Za-z0-9_$]*#\)/\1/' | sort
}

allowed=anywhere
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    allowed='anywhere|elsewhere'
fi
unlisted=$(skipped | while IFS="$(printf '\t')" read -r name reason; do
    class=${name%%#*}
    grep -Eq "^($class|$name) +($allowed) " "$root/tools/skips.txt" || echo "    $name: ${reason:-no reason given}"
done)
if [ -n "$unlisted" ]; then
    echo "guidepost: skipped, though tools/skips.txt does not allow it here:" >&2
    echo "$unlisted" >&2
    exit 1
fi
