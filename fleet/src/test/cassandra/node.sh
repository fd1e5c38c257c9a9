#!/bin/sh
# Becomes a node of Apache Cassandra, for tests and proofs: its jars come from Maven Central, once on each machine, and it runs on a
# JDK 17. It has 512 MiB of heap, and takes some 20 s of a processor to start.
#
#   node.sh FOLDER ADDRESS STORAGE-PORT CQL-PORT SEED
#
# A folder that a node has left is one to start again in. SEED is the address of the first node of the cluster.
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 address=$2 storage=$3 cql=$4 seed=$5

jars=$HOME/.cache/guidepost/cassandra-5.0.5
if [ ! -e "$jars/complete" ]; then
    mkdir -p "$jars"
    mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies \
        -DincludeScope=runtime "-DoutputDirectory=$jars"
    touch "$jars/complete"
fi

java=
for home in /usr/lib/jvm/*; do
    if grep -qs '^JAVA_VERSION="17' "$home/release"; then
        java=$home/bin/java
    fi
done
if [ -z "$java" ]; then
    echo "Cassandra 5 needs a JDK 17 in /usr/lib/jvm" >&2
    exit 1
fi

cat > "$folder/cassandra.yaml" <<END
cluster_name: test
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
listen_address: $address
rpc_address: $address
storage_port: $storage
native_transport_port: $cql
start_native_transport: true
commitlog_sync: group
commitlog_sync_group_window: 1ms
commitlog_segment_size: 16MiB
commitlog_total_space: 256MiB
commitlog_directory: $folder/data/commitlog
data_file_directories: [$folder/data/data]
saved_caches_directory: $folder/data/saved
hints_directory: $folder/data/hints
cdc_raw_directory: $folder/data/cdc
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "$seed:$storage"
memtable_heap_space: 64MiB
memtable_offheap_space: 64MiB
memtable_allocation_type: offheap_objects
storage_compatibility_mode: NONE
file_cache_size: 64MiB
networking_cache_size: 32MiB
key_cache_size: 16MiB
concurrent_reads: 8
concurrent_writes: 16
concurrent_compactors: 1
authenticator: AllowAllAuthenticator
authorizer: AllowAllAuthorizer
auto_snapshot: false
END

cat > "$folder/logback.xml" <<END
<configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>$folder/system.log</file>
<encoder><pattern>%-5level %date %logger{0} - %msg%n</pattern></encoder></appender>
<root level="INFO"><appender-ref ref="F"/></root></configuration>
END

# A node that joins others waits until it has heard of them.
delay=100
[ "$address" = "$seed" ] || delay=5000

options=
for each in java.base/jdk.internal.misc java.base/jdk.internal.ref java.base/sun.nio.ch \
        java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry java.rmi/sun.rmi.server \
        java.sql/java.sql java.base/java.lang.ref; do
    options="$options --add-exports $each=ALL-UNNAMED"
done
for each in java.base/java.lang.module java.base/jdk.internal.loader java.base/jdk.internal.ref java.base/jdk.internal.reflect \
        java.base/jdk.internal.math java.base/jdk.internal.module java.base/jdk.internal.util.jar \
        jdk.management/com.sun.management.internal java.base/sun.nio.ch java.base/java.io java.base/java.lang java.base/java.util \
        java.base/java.util.concurrent java.base/java.util.concurrent.atomic java.base/java.nio java.rmi/sun.rmi.transport.tcp; do
    options="$options --add-opens $each=ALL-UNNAMED"
done
# shellcheck disable=SC2086 # Options are words.
exec "$java" -Xms512m -Xmx512m -XX:+UseSerialGC -XX:MaxDirectMemorySize=256m -Xss512k $options \
    "-Dcassandra.config=file://$folder/cassandra.yaml" "-Dcassandra.storagedir=$folder/data" \
    "-Dlogback.configurationFile=$folder/logback.xml" -Dcassandra.ring_delay_ms=$delay -Dcassandra.skip_wait_for_gossip_to_settle=0 \
    "-Djava.io.tmpdir=$folder" "-Djna.tmpdir=$folder" -Dcassandra-foreground=yes \
    -cp "$jars/*" org.apache.cassandra.service.CassandraDaemon
