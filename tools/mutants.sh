# Part of the launcher, see ../guidepost: breaks the product on purpose, one promise at a time, and shows the test that fails.
#
#   guidepost mutants            tries all of tools/mutants.txt
#   guidepost mutants list       says which there are
#   guidepost mutants NAME ...   tries some
#
# Exits with 1 if a mutant survives.

if [ "${1:-}" != list ]; then
    maven -q -B -Ptools test-compile || fail "the build failed; the lines above say why"
fi
"$jdk/bin/java" "$root/tools/Mutants.java" "$root" "$jdk" "$@"

