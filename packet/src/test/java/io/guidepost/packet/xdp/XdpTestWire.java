package io.guidepost.packet.xdp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.Machine;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two network namespaces joined by a pair of virtual interfaces: {@code left} has 10.91.0.1 and fd91::1, {@code right}
 * has 10.91.0.2 and fd91::2. Both go when it is closed.
 */
final class XdpTestWire implements AutoCloseable {
    static final String LEFT_IP = "10.91.0.1";
    static final String RIGHT_IP = "10.91.0.2";
    static final String LEFT_IPV6 = "fd91::1";
    static final String RIGHT_IPV6 = "fd91::2";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String prefix = "xdp-" + ProcessHandle.current().pid() + "-" + NUMBER.getAndIncrement();
    private final String left = prefix + "-l";
    private final String right = prefix + "-r";

    private XdpTestWire() {}

    /** Makes one with as many queues everywhere, or skips the test with the reason. */
    static XdpTestWire open(int mtu, int queues) {
        return open(mtu, queues, queues);
    }

    /** Makes one whose right side transmits on another number of queues. */
    static XdpTestWire open(int mtu, int queues, int rightTransmitQueues) {
        Machine.assumeLinux();
        assumeTrue("root".equals(System.getProperty("user.name")), "namespaces and bpf need root");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")) || Files.isExecutable(Path.of("/sbin/ip")), "no ip command");
        XdpTestWire wire = new XdpTestWire();
        try {
            wire.make(mtu, queues, rightTransmitQueues);
            return wire;
        } catch (IOException | RuntimeException e) {
            wire.close();
            throw new AssertionError(e);
        }
    }

    private void make(int mtu, int queues, int rightTransmitQueues) throws IOException {
        run("ip", "netns", "add", left);
        run("ip", "netns", "add", right);
        run("ip -n %s link add left numrxqueues %d numtxqueues %d type veth peer name right numrxqueues %d numtxqueues %d netns %s"
                .formatted(left, queues, queues, queues, rightTransmitQueues, right)
                .split(" ", -1));
        for (String side : List.of("left", "right")) {
            String name = side.equals("left") ? left : right;
            // Without these the kernel would say things of its own between the frames of a test.
            run("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0",
                    "net.ipv6.conf.default.accept_dad=0", "net.ipv6.conf." + side + ".accept_dad=0",
                    "net.ipv6.conf." + side + ".router_solicitations=0");
            String last = side.equals("left") ? "1" : "2";
            run("ip", "-n", name, "addr", "add", "10.91.0." + last + "/24", "dev", side);
            run("ip", "-n", name, "addr", "add", "fd91::" + last + "/64", "dev", side, "nodad");
            run("ip", "-n", name, "link", "set", "dev", side, "mtu", Integer.toString(mtu), "up");
            run("ip", "-n", name, "link", "set", "dev", "lo", "up");
        }
    }

    /** Does something on a thread that is in the left namespace. */
    <T> T inLeft(Callable<T> action) throws IOException {
        return in(left, action);
    }

    /** Does something on a thread that is in the right namespace. */
    <T> T inRight(Callable<T> action) throws IOException {
        return in(right, action);
    }

    /** Runs a command in the left namespace. */
    String leftRun(String... command) throws IOException {
        return run(inNamespace(left, command));
    }

    /** Runs a command in the right namespace. */
    String rightRun(String... command) throws IOException {
        return run(inNamespace(right, command));
    }

    /** Starts a command in the left namespace. */
    Process leftStart(String... command) throws IOException {
        return new ProcessBuilder(inNamespace(left, command)).redirectErrorStream(true).start();
    }

    private static String[] inNamespace(String name, String... command) {
        return java.util.stream.Stream.concat(
                        java.util.stream.Stream.of("ip", "netns", "exec", name), java.util.stream.Stream.of(command))
                .toArray(String[]::new);
    }

    private static <T> T in(String name, Callable<T> action) throws IOException {
        FutureTask<T> task = new FutureTask<>(() -> {
            enter(name);
            return action.call();
        });
        Thread thread = Thread.ofPlatform().name("in " + name).start(task);
        try {
            thread.join();
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void enter(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long opened = SystemCall.call(
                    SystemCall.errno(arena),
                    SystemCall.OPENAT,
                    -100,
                    arena.allocateFrom("/run/netns/" + name).address(),
                    0);
            long entered = SystemCall.call(SystemCall.errno(arena), SystemCall.SETNS, opened, 0x4000_0000, 0);
            SystemCall.call(SystemCall.errno(arena), SystemCall.CLOSE, opened, 0, 0);
            if (entered != 0) {
                throw new IOException("cannot enter " + name + ": " + SystemCall.meaning((int) -entered));
            }
        }
    }

    /** Runs a command; gives what it printed. */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int result = process.waitFor();
            if (result != 0) {
                throw new IOException(String.join(" ", command) + " gave " + result + ": " + text);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return text;
    }

    @Override
    public void close() {
        for (String name : List.of(left, right)) {
            try {
                run("ip", "netns", "del", name);
            } catch (IOException e) {
                if (Files.exists(Path.of("/run/netns", name))) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
