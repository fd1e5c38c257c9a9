# Part of the launcher, see ../guidepost: breaks the product on purpose, one promise at a time, and shows the test that fails.
#
#   guidepost mutants                  tries all of tools/mutants.txt
#   guidepost mutants list             says which there are
#   guidepost mutants NAME ...         tries some
#   guidepost mutants pit [MODULE ...] lets PIT change the code that decides, a little and everywhere, and says how much of it
#                                      tests notice, by package; what they do not stands in MODULE/target/pit-reports
#
# Exits with 1 if a mutant survives, or too many of PIT's do.

if [ "${1:-}" = pit ]; then
    shift
    [ $# -gt 0 ] || set -- store gnrs handle middlebox
    pit=0
    maven -q -B -Pmutation -fae process-test-classes -am -pl "$(echo "$@" | tr ' ' ,)" || pit=1
    for module; do
        awk -F, '
            { package = $2; sub(/\.[^.]*$/, "", package); all[package]++ }
            $6 != "SURVIVED" && $6 != "NO_COVERAGE" { noticed[package]++ }
            END { for (each in all) printf "%-40s %5d of %5d noticed, %3d %%\n", each, noticed[each], all[each], 100 * noticed[each] / all[each] }
        ' "$root/$module/target/pit-reports/mutations.csv" | sort || pit=1
    done
    exit $pit
fi

if [ "${1:-}" != list ]; then
    maven -q -B -Ptools test-compile || fail "the build failed; the lines above say why"
fi
"$jdk/bin/java" "$root/tools/Mutants.java" "$root" "$jdk" "$@"
