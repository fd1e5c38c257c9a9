package io.guidepost.bench.process;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Two network namespaces joined by a veth pair, for servers on one side and generators on the other: {@code near} with
 * 10.92.0.1 is the generator's, {@code far} with 10.92.0.2 the server's. Closing removes everything.
 */
public final class NamespacePair implements AutoCloseable {
    public static final String NEAR = "near";
    public static final String FAR = "far";
    public static final String NEAR_IP = "10.92.0.1";
    public static final String FAR_IP = "10.92.0.2";
    public static final long NEAR_MAC = 0x02_00_00_00_92_01L;
    public static final long FAR_MAC = 0x02_00_00_00_92_02L;

    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final int AT_FDCWD = -100;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String near;
    private final String far;

    /** Creates the pair. */
    public NamespacePair() {
        String name = "guidepost-" + ProcessHandle.current().pid() + "-" + NUMBER.getAndIncrement();
        near = name + "-near";
        far = name + "-far";
        try {
            run("ip netns add " + near);
            run("ip netns add " + far);
            run("ip -n " + near + " link add near address 02:00:00:00:92:01 type veth peer name far"
                    + " address 02:00:00:00:92:02 netns " + far);
            side(near, NEAR, NEAR_IP, FAR_IP, "02:00:00:00:92:02");
            side(far, FAR, FAR_IP, NEAR_IP, "02:00:00:00:92:01");
        } catch (BenchFailure e) {
            close();
            throw e;
        }
    }

    /** Returns why a pair cannot be created here; empty if it can. */
    public static String missing() {
        if (!SystemCall.AVAILABLE) {
            return "it is of Linux on x86-64 and aarch64";
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return "network namespaces and bpf need root";
        }
        Set<Path> places = Set.of(Path.of("/sbin/ip"), Path.of("/usr/sbin/ip"), Path.of("/bin/ip"), Path.of("/usr/bin/ip"));
        return places.stream().anyMatch(Files::isExecutable) ? "" : "there is no command ip: install iproute2";
    }

    private static void side(String namespace, String device, String address, String other, String otherMac) {
        // The kernel's own IPv6 messages would disturb the measurement.
        run("ip netns exec " + namespace + " sysctl -qw net.ipv6.conf.all.disable_ipv6=1");
        run("ip -n " + namespace + " addr add " + address + "/24 dev " + device);
        run("ip -n " + namespace + " link set dev " + device + " up");
        run("ip -n " + namespace + " neigh replace " + other + " lladdr " + otherMac + " dev " + device);
    }

    /** Returns the command that starts a program on the server's side. */
    public List<String> onFarSide(List<String> command) {
        return Stream.concat(Stream.of("ip", "netns", "exec", far), command.stream()).toList();
    }

    /** Runs an action on a thread of the generator's side; what it opens stays there. */
    public <T> T onNearSide(Callable<T> action) {
        return within(near, action);
    }

    /** Runs an action on a thread of the server's side; what it opens stays there. */
    public <T> T onFarSide(Callable<T> action) {
        return within(far, action);
    }

    /** Runs an action on a thread in a network namespace; what it opens stays there. */
    public static <T> T within(String namespace, Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(() -> {
            enter(namespace);
            return action.call();
        });
        try {
            Thread thread = Thread.ofPlatform().name(namespace).start(task);
            thread.join();
            return task.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new BenchFailure(String.valueOf(cause == null ? e : cause.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
    }

    private static void enter(String namespace) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long path = arena.allocateFrom("/run/netns/" + namespace).address();
            long opened = SystemCall.call(SystemCall.errno(arena), SystemCall.OPENAT, AT_FDCWD, path, 0);
            long entered = SystemCall.call(SystemCall.errno(arena), SystemCall.SETNS, opened, CLONE_NEWNET, 0);
            SystemCall.call(SystemCall.errno(arena), SystemCall.CLOSE, opened, 0, 0);
            if (entered != 0) {
                throw new IOException("cannot enter " + namespace + ": " + SystemCall.meaning((int) -entered));
            }
        }
    }

    private static void run(String command) {
        try {
            Process process = new ProcessBuilder(new ArrayList<>(List.of(command.split(" "))))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new BenchFailure(command + " failed: " + said);
            }
        } catch (IOException e) {
            throw new BenchFailure(command + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
    }

    @Override
    public void close() {
        for (String each : List.of(near, far)) {
            if (Files.exists(Path.of("/run/netns", each))) {
                run("ip netns del " + each);
            }
        }
    }
}
