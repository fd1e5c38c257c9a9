package io.guidepost.lab.prove;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Clients of one server whose look-ups a program in the kernel answers ({@code gnrs.kernel-cache}), beside a trace: one replaces the place
 * of a name, another looks it up. In the network namespace that this process runs in the server is at one end of a pair of virtual
 * interfaces, and what is sent to its address goes out by the other.
 */
final class KernelCacheClients implements AutoCloseable {
    /** Where the server answers. */
    static final InetSocketAddress SERVER = new InetSocketAddress(InetAddress.ofLiteral("10.93.0.2"), 5001);

    private static final InetSocketAddress ADMIN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5080);
    private static final String ANSWERED = "guidepost_gnrs_kernel_lookups_total{outcome=\"answered\"} ";

    private static final int LOOKUP_MILLIS = 1000;

    private final FreshPlaces fresh = new FreshPlaces(List.of(SERVER), 0);
    private final List<Thread> threads;
    private long answered;
    private volatile boolean ending;

    /** Begins to write and look up. */
    KernelCacheClients() {
        threads = List.of(
                Thread.ofPlatform().daemon(true).name("guidepost-fresh-writer").start(() -> fresh.write(() -> !ending)),
                Thread.ofPlatform().daemon(true).name("guidepost-fresh-reader").start(this::read));
    }

    private void read() {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(SERVER);
            socket.setSoTimeout(LOOKUP_MILLIS);
            fresh.read(() -> !ending, id -> lookUp(socket, id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Looks up without options; null if no answer comes. */
    private static @Nullable List<Binding> lookUp(DatagramSocket socket, int id) {
        ByteBuffer question = ByteBuffer.allocate(GnrsWire.HEADER_BYTES + Guid.BYTES);
        question.putLong(GnrsWire.head(GnrsWire.LOOKUP, question.capacity(), id)).putLong(GnrsWire.offsets(0, 0, 0));
        FreshPlaces.NAME.write(MemorySegment.ofBuffer(question), 0);
        DatagramPacket answer = new DatagramPacket(new byte[GnrsLimits.ANSWER_BYTES_PLAIN], GnrsLimits.ANSWER_BYTES_PLAIN);
        try {
            socket.send(new DatagramPacket(question.array(), question.capacity()));
            while (true) {
                answer.setLength(GnrsLimits.ANSWER_BYTES_PLAIN);
                socket.receive(answer);
                // What comes late answers a look-up before.
                if (GnrsMessage.read(Arrays.copyOf(answer.getData(), answer.getLength())) instanceof GnrsMessage.LookupResponse response
                        && response.id() == id) {
                    return response.code() == GnrsMessage.Code.SUCCESS ? response.bindings() : null;
                }
            }
        } catch (IOException | Malformed e) {
            return null;
        }
    }

    /** Makes the interfaces in the namespace of this process, which takes root. */
    static void prepare() throws IOException {
        run("ip link set lo up");
        run("ip link add near type veth peer name far");
        run("ip addr add 10.93.0.1/24 dev near");
        run("ip addr add 10.93.0.2/24 dev far");
        for (String each : List.of("near", "far")) {
            // Its sender is an address of this host too.
            Files.writeString(Path.of("/proc/sys/net/ipv4/conf", each, "accept_local"), "1");
            Files.writeString(Path.of("/proc/sys/net/ipv4/conf", each, "rp_filter"), "0");
            run("ip link set " + each + " up");
        }
        Files.writeString(Path.of("/proc/sys/net/ipv4/conf/all/rp_filter"), "0");
        run("ip route add 10.93.0.2 dev near src 10.93.0.1 table 100");
        run("ip rule add pref 10 lookup local");
        run("ip rule add pref 1 iif far lookup local");
        run("ip rule add pref 2 to 10.93.0.2 lookup 100");
        run("ip rule del pref 0");
    }

    private static void run(String command) throws IOException {
        ChildProcesses.run(command.split(" "));
    }

    /** Returns what the server is started with. */
    static List<String> settings() {
        return List.of(
                "gnrs.listen=" + SERVER.getAddress().getHostAddress(),
                "gnrs.port=" + SERVER.getPort(),
                "gnrs.writers=10.93.0.1/32",
                "gnrs.kernel-cache=far,mode=generic",
                "admin.port=" + ADMIN.getPort());
    }

    /** Adds what the program of the server that runs has answered, before that is killed. */
    void count() throws IOException {
        answered += AdminOptions.of(ADMIN).get("/metrics").body().lines()
                .filter(each -> each.startsWith(ANSWERED))
                .mapToLong(each -> Math.round(Double.parseDouble(each.substring(ANSWERED.length()))))
                .sum();
    }

    FreshPlaces fresh() {
        return fresh;
    }

    /** Returns how many look-ups of all clients the kernel has answered. */
    long answered() {
        return answered;
    }

    /** Returns whether there were look-ups of both kinds, and none was answered with what was too old. */
    boolean proven() {
        return answered > 0 && fresh.seen() > 0 && fresh.older() == 0;
    }

    @Override
    public void close() {
        ending = true;
        for (Thread each : threads) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
