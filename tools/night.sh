# Part of the launcher, see ../guidepost: everything that takes too long for each build, and one page of what came of it.
#
#   guidepost night           a whole night: some seven hours on two processors
#   guidepost night SHARE     a part of each step, such as 0.02, to see that the night works; without the long tests and PIT
#   guidepost night SHARE STEP ...    some steps, for a night in several parts: gate, kills, kills-of-sites, seeds, fuzz, soak,
#                             mutants, long-tests, pit, every-warning, packages; the page keeps the rows of the others
#
# The page is target/night/results.md, with the log of each step beside it. Exits with 1 if a step found something.

share=${1:-1}
[ $# -eq 0 ] || shift
steps=$*
for each in $steps; do
    case $each in
        gate | kills | kills-of-sites | seeds | fuzz | soak | mutants | long-tests | pit | every-warning | packages) ;;
        *) fail "a night has no step '$each'; guidepost night --help names them" ;;
    esac
done
echo "$share" | grep -Eq '^(1|0\.[0-9]+)$' || fail "'$share' is no share of a night: from 0.01 to 1"

# part NUMBER LEAST: the share of a number, but not less than makes sense.
part() {
    awk -v all="$1" -v least="$2" -v share="$share" 'BEGIN { n = int(all * share); print n < least ? least : n }'
}

night=$root/target/night
[ -n "$steps" ] || rm -rf "$night"
mkdir -p "$night" || fail "cannot write to $night"
page=$night/results.md
commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -f "$page" ] || {
    echo "# A night"
    echo
    echo "| step | commit, day | share | result | minutes | what it said last |"
    echo "|---|---|---|---|---|---|"
} >"$page"
found=0

# chosen NAME: whether a step is run.
chosen() {
    [ -z "$steps" ] && return 0
    case " $steps " in *" $1 "*) return 0 ;; esac
    return 1
}

# step NAME COMMAND ...: runs it, and writes its row.
step() {
    name=$1
    shift
    chosen "$name" || return 0
    echo "guidepost: $name ..." >&2
    begun=$(date +%s)
    # In a shell of its own: the launcher's functions set variables, and may exit.
    if ("$@") >"$night/$name.log" 2>&1; then
        result=passed
    else
        result=FAILED
        found=1
    fi
    minutes=$(awk -v seconds=$(($(date +%s) - begun)) 'BEGIN { printf "%.1f", seconds / 60 }')
    # Maven ends with a ruler, and sequences that take colours back.
    last=$(sed "s/$(printf '\033')\[[0-9;]*m//g" "$night/$name.log" | grep -v -e '^[[:space:]]*$' -e '---$' |
        tail -n 1 | cut -c 1-160 | tr '|' '/')
    grep -v "^| $name |" "$page" >"$page.new"
    echo "| $name | $commit, $(date -u +%Y-%m-%d) | $share | $result | $minutes | $last |" >>"$page.new"
    mv "$page.new" "$page"
    echo "guidepost: $name $result after $minutes minutes" >&2
}

long_tests() {
    # To the end, whatever fails in between: a night is not repeated for the modules behind it. Then nothing is printed, as
    # grep reads no file that is its output as well.
    maven -B verify -Dexcluded.groups= -Dgroups=long -Dsurefire.failIfNoSpecifiedTests=false -Dtest.timeout=3h -Dtest.process.seconds=0 \
        -Dmaven.test.failure.ignore=true && ! grep -q -e 'Tests run:.*<<<' -e 'There are test failures' "$night/long-tests.log"
}

# All modules but their parent, in whose target folder this night lies.
every_warning() {
    # Not quiet: Maven then tells that there are warnings, but not which.
    maven -B clean test-compile -Pall-checks -pl '!:guidepost'
}

build server $server_modules
build lab $server_modules clients/java lab
build bench $server_modules bench
step gate "$root/guidepost" bench gate
step kills "$root/guidepost" prove --kills "$(part 200 5)" --seed "$(date +%j)"
step kills-of-sites "$root/guidepost" prove --sites 5 --writes "$(part 1000000 2000)"
step seeds "$root/guidepost" simulate cluster --seeds "$(part 10000 50)"
step fuzz "$root/guidepost" fuzz all "$(part 600 10)"
step soak "$root/guidepost" soak --minutes "$(part 60 2)" --seed "$(date +%j)" --svg "$night/soak.svg"
step mutants "$root/guidepost" mutants
if [ "$share" = 1 ] || [ -n "$steps" ]; then
    step long-tests long_tests
    step pit "$root/guidepost" mutants pit
    step every-warning every_warning
    step packages "$root/guidepost" package try
fi
cat "$page"
exit "$found"
