# Part of the launcher, see ../guidepost: tries millions of inputs on each parser of what comes from the wire, led by which
# code they reach (Jazzer, which Maven downloads for it).
#
#   guidepost fuzz                    says which targets there are
#   guidepost fuzz TARGET [SECONDS]   tries one, for a minute if nothing else is said
#   guidepost fuzz all [SECONDS]      tries each, as many at once as there are processors
#
# An input fails that has an exception escape, that takes more than 10 ms of the processor, or that costs more heap than
# its target may. It stays in target/fuzz/TARGET, with the inputs that reach something new, where the next run goes on.

# name, class, bytes of an input at most, bytes of heap at most: a packet has 64 KiB; texts, files, connections,
# inputs of several packets, and long answers that are signed have more. What Jazzer itself allocates where it looks at
# comparisons counts too: a text of 1,104 bytes that costs 48,376 without costs 264,288 under its eyes. A list of names costs
# what the inputs before have put there: 5 kB and more a name. An empty file of MRT costs 165,312, which are buffers
targets="
gnrs              io.guidepost.gnrs.GnrsDatagramFuzz               1472   65536
peers             io.guidepost.gnrs.antientropy.PeerMessageFuzz  1472  262144
handle-messages   io.guidepost.handle.message.HandleMessageFuzz      1472   65536
handle-records    io.guidepost.handle.message.RecordFuzz       1472   65536
handle-packets    io.guidepost.handle.message.MessageFragmenterFuzz      4096  262144
handle-door       io.guidepost.handle.door.HandleDatagramFuzz        1472 1048576
handle-texts      io.guidepost.handle.json.HandleTextFuzz            2048  524288
handle-streams    io.guidepost.handle.replication.ReplicationStreamFuzz   2048  262144
http              io.guidepost.server.http.HttpRequestFuzz          1024  262144
proxidor          io.guidepost.alto.proxidor.ProxidorFuzz      1472   65536
alto              io.guidepost.alto.service.AltoInputFuzz                  1024  524288
bgp               io.guidepost.proximity.bgp.BgpFuzz           2048  262144
bmp               io.guidepost.proximity.bgp.BmpFuzz           2048  262144
rtr               io.guidepost.proximity.rpki.RtrFuzz          2048  262144
mrt               io.guidepost.proximity.bgp.MrtFuzz           2048  425984
pcap              io.guidepost.packet.pcap.CaptureFuzz         2048   65536
frames            io.guidepost.packet.frame.FrameFuzz          1600   65536
scaffold          io.guidepost.scaffold.wire.ControlMessageFuzz       1300   65536
dns               io.guidepost.scaffold.gateway.ZoneFuzz            600   65536
dns-door          io.guidepost.dns.DnsFuzz                     1232 1048576
names             io.guidepost.naming.NamesApiFuzz             1024  262144
labels            io.guidepost.scaffold.flow.LabelFuzz          1600   65536
streams           io.guidepost.scaffold.stream.StreamFuzz          1024   65536
socks             io.guidepost.scaffold.stream.SocksFuzz            600  262144
"

wanted=${1:-}
seconds=${2:-60}
case $seconds in
    '' | *[!0-9]*) fail "'$seconds' is no number of seconds" ;;
esac
if [ -z "$wanted" ]; then
    echo all "$(echo "$targets" | awk 'NF { print $1 }' | tr '\n' ' ')"
    exit 0
fi
echo "all
$targets" | grep -q "^$wanted\( \|\$\)" || fail "there is no target '$wanted'; without words this command says which there are"

# The classes of all modules, and all libraries but the one that judges DNS, are on the test class path of the benchmarks.
maven -q -B -Ptools test-compile || fail "the build failed; the lines above say why"
path=$(cat "$root/bench/target/test.path"):$(cat "$root/dns/target/test.path")
for module in base names packet proximity gnrs handle alto naming scaffold dns server; do
    path=$root/$module/target/test-classes:$path
done

try() {
    folder=$root/target/fuzz/$1
    mkdir -p "$folder/corpus"
    (
        cd "$folder" || exit 1
        options="-Dfuzz.target=$2 -Dfuzz.allocated=$4 --enable-native-access=ALL-UNNAMED"
        # The options are words: they are meant to be split.
        # shellcheck disable=SC2086
        "$jdk/bin/java" $options -cp "$path" io.guidepost.base.Fuzzing seeds >log 2>&1 || exit 1
        # shellcheck disable=SC2086
        "$jdk/bin/java" -Xmx1g -XX:+UseSerialGC $options -Dguidepost.packet.checked=true --sun-misc-unsafe-memory-access=allow \
            -cp "$path" com.code_intelligence.jazzer.Jazzer --target_class=io.guidepost.base.Fuzzing \
            --instrumentation_includes='io.guidepost.**' --custom_hook_includes='io.guidepost.**' \
            -max_len="$3" -rss_limit_mb=0 -use_value_profile=1 -print_final_stats=1 -max_total_time="$seconds" \
            corpus seeds >log 2>&1
    )
    code=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
    if [ "$code" -eq 0 ]; then
        echo "$1: ${executions:-no} executions, nothing found"
    else
        echo "$1: after ${executions:-no} executions: $(sed -n 's/^== Java Exception: //p' "$folder/log" | head -n 1)"
        echo "    the input is in $folder, what it was is in $folder/log"
    fi
    return "$code"
}

# Reads targets, and tries each that is wanted, one after the other.
each() {
    found=0
    while read -r name class bytes heap; do
        if [ -n "$name" ] && { [ "$wanted" = all ] || [ "$wanted" = "$name" ]; }; then
            try "$name" "$class" "$bytes" "$heap" || found=1
        fi
    done
    return "$found"
}

# A fuzzer takes one processor: each processor has its share of the targets.
processors=$(nproc)
running=
share=0
while [ "$share" -lt "$processors" ]; do
    echo "$targets" | awk -v of="$processors" -v share="$share" 'NF && n++ % of == share' | each &
    running="$running $!"
    share=$((share + 1))
done
found=0
for one in $running; do
    wait "$one" || found=1
done
exit "$found"
