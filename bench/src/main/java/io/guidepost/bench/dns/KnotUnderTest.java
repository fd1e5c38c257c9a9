package io.guidepost.bench.dns;

import io.guidepost.base.AddressText;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Knot DNS with the same zone, one UDP worker, and nothing else to do. */
final class KnotUnderTest implements BenchTarget {
    private static final Path PROGRAM = Path.of("/usr/sbin/knotd");
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(120);

    private final ChildProcess child;
    private final InetSocketAddress address;

    private KnotUnderTest(ChildProcess child, InetSocketAddress address) {
        this.child = child;
        this.address = address;
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /** Starts it, and waits until it answers. */
    static KnotUnderTest start(BenchStage stage, int cpu, int names) throws IOException {
        stage.progress().say("starting Knot with " + names + " names");
        Path folder = Files.createDirectory(stage.folder().resolve("knot"));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerUnderTest.freeUdpPort());
        zone(folder.resolve("zone"), names);
        Path configuration = Files.writeString(folder.resolve("knot.conf"), """
                server:
                    rundir: "%1$s"
                    listen: 127.0.0.1@%2$d
                    udp-workers: 1
                    tcp-workers: 1
                    background-workers: 1
                database:
                    storage: "%1$s"
                zone:
                  - domain: %3$s
                    storage: "%1$s"
                    file: zone
                    zonefile-load: whole
                    journal-content: none
                    semantic-checks: off
                """.formatted(folder, address.getPort(), DnsRequests.ZONE));
        ChildProcess child = ChildProcess.start("knot", cpu, stage.folder(), List.of(PROGRAM.toString(), "-c", configuration.toString()));
        KnotUnderTest knot = stage.keep(new KnotUnderTest(child, address));
        knot.await(stage);
        return knot;
    }

    private static void zone(Path file, int names) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            out.write("$ORIGIN " + DnsRequests.ZONE + ".\n$TTL 60\n@ SOA ns hostmaster 1 300 60 1209600 10\n@ NS ns\nns A 127.0.0.1\n");
            for (int i = 0; i < names; i++) {
                out.write(DnsRequests.name(i) + " A " + AddressText.ipv4(DnsRequests.address(i)) + "\n");
            }
        }
    }

    private void await(BenchStage stage) {
        UdpLoadGenerator asking = new UdpLoadGenerator(stage.port(), address, new DnsRequests(1, 1), 1, () -> 0);
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() - end < 0 && child.alive()) {
            if (asking.run(0, TimeUnit.MILLISECONDS.toNanos(20)).answered() > 0) {
                return;
            }
        }
        throw child.alive() ? new BenchFailure("Knot did not answer in time") : child.failed("ended before it answered");
    }

    @Override
    public String name() {
        return "Knot";
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public long cpuNanos() {
        return child.meter().cpuNanos();
    }

    @Override
    public void close() {
        child.close();
    }
}
