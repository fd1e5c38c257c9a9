package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A burst of 64 look-ups costs the worker one call to receive it and one to answer it, and once nothing more comes a look and a
 * wait. The kernel counts, by way of strace(1): not the server's own metrics. So that all of a burst lies in the socket at once,
 * the server is stopped while it is sent. In real time a worker makes some calls more, once in ten milliseconds, however many
 * look-ups come.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "system calls are counted by strace")
class SystemCallsPerReplyTest {
    private static final int BURST = 64;
    private static final int BURSTS = 20;

    /** Bursts before the count, in which classes are loaded. */
    private static final int BURSTS_FIRST = 50;

    private static final int ID = 4;
    private static final int CODE = 22;
    private static final int RESPONSE_BYTES_MAX = 2048;
    private static final Duration RESPONSE_WAIT_MAX = Duration.ofSeconds(60);
    private static final Guid NAME = Guid.ofAscii("name");
    private static final Pattern ANSWERS = Pattern.compile("answers gnrs at 127\\.0\\.0\\.1:(\\d+)");

    /** Name, arguments and result of a call that strace wrote. */
    private static final Pattern CALL = Pattern.compile("([a-z]\\w*)\\(.*?(?: = (-?\\d+|\\?).*)?");

    /** How a worker waits: for datagrams, or for several at once. */
    private static final List<String> WAITS = List.of("ppoll", "restart_syscall", "clock_nanosleep");

    /** With these the JVM waits for its own threads, when it stops all or compiles. */
    private static final List<String> OF_THE_JVM = List.of("futex", "sched_yield");

    @TempDir
    private Path folder;

    @Test
    void oneCallReceivesABurstAndOneAnswersIt() throws Exception {
        assumeTrue(TwoNamespaces.has("strace") && "root".equals(System.getProperty("user.name")), "needs root and strace (apt: strace)");
        Process server = new ProcessBuilder(BuiltServer.command(List.of(
                        "serve", "--set", "gnrs.listen=127.0.0.1", "--set", "gnrs.port=0", "--set", "workers.count=1", "--set",
                        "workers.real-time=false", "--set", "admin.port=-1", "--set", "store.folder=" + folder.resolve("store"))))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try (DatagramChannel channel = DatagramChannel.open()) {
            RunningServer.eventually(() -> text("log").contains("records in ") || !server.isAlive());
            Matcher at = ANSWERS.matcher(text("log"));
            assertThat(at.find()).as(text("log")).isTrue();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(at.group(1)));
            try (GnrsClient client = GnrsClient.open(address, new GnrsClientSettings(2000, 3, 64))) {
                client.insert(NAME, List.of(Binding.of(Locator.parse("192.0.2.1:7000"))));
            }
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).connect(address);
            Path worker = worker(server);
            bursts(server, worker, channel, BURSTS_FIRST);
            Process strace = trace(worker);
            bursts(server, worker, channel, BURSTS);
            strace.destroy();
            strace.waitFor();
        } finally {
            server.destroyForcibly().waitFor();
        }
        Map<String, Long> calls = calls();
        assertThat(calls).containsEntry("sendmmsg", (long) BURSTS);
        // Where strace lets go of the worker it may show one call more.
        assertThat(calls.get("recvmmsg")).isBetween((long) BURSTS, BURSTS + 1L);
        assertThat(calls.get("recvmmsg, nothing")).as("looks before a wait").isLessThanOrEqualTo(BURSTS + 1L);
        assertThat(calls.keySet()).isSubsetOf("recvmmsg", "sendmmsg", "recvmmsg, nothing", "wait");
    }

    private String text(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folder of the worker's thread below /proc. */
    private static Path worker(Process server) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + server.pid() + "/task"))) {
            for (Path each : threads.toList()) {
                if (Files.readString(each.resolve("comm")).strip().equals("worker-0")) {
                    return each;
                }
            }
        }
        throw new IOException("the server has no thread worker-0");
    }

    private Process trace(Path thread) throws IOException {
        Process strace = new ProcessBuilder(
                        "strace", "-e", "signal=none", "-o", folder.resolve("calls").toString(), "-p", thread.getFileName().toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("strace").toFile())
                .start();
        RunningServer.eventually(() -> text("strace").contains(" attached") || !strace.isAlive());
        assertThat(text("strace")).contains(" attached");
        return strace;
    }

    /** Sends bursts, each of which lies in the server's socket before the server goes on, and receives the responses. */
    private static void bursts(Process server, Path worker, DatagramChannel channel, int count) throws Exception {
        int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        ByteBuffer request = ByteBuffer.wrap(HexFormat.of().parseHex("0001002a0000000000000016000000067f000001"
                + HexFormat.of().toHexDigits((short) port) + "6e616d6500000000000000000000000000000000"));
        ByteBuffer response = ByteBuffer.allocate(RESPONSE_BYTES_MAX);
        channel.configureBlocking(false);
        for (int burst = 0; burst < count; burst++) {
            signal(server, "STOP");
            assertThat(RunningServer.eventually(() -> stopped(worker))).isTrue();
            for (int i = 0; i < BURST; i++) {
                assertThat(channel.write(request.putInt(ID, burst * BURST + i).rewind())).isPositive();
            }
            signal(server, "CONT");
            long end = System.nanoTime() + RESPONSE_WAIT_MAX.toNanos();
            for (int answered = 0; answered < BURST; ) {
                if (channel.read(response.clear()) > 0) {
                    assertThat(response.getShort(CODE)).isZero();
                    answered++;
                }
                assertThat(System.nanoTime()).as(answered + " responses of burst " + burst).isLessThan(end);
            }
        }
    }

    private static boolean stopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return Character.toLowerCase(stat.charAt(stat.lastIndexOf(')') + 2)) == 't';
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void signal(Process server, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(server.pid())).start();
        assertThat(kill.waitFor(1, TimeUnit.MINUTES) && kill.exitValue() == 0).isTrue();
    }

    /** Returns how often the worker made each call, without those of the JVM. */
    private Map<String, Long> calls() {
        List<String> calls = new ArrayList<>();
        for (String line : text("calls").lines().toList()) {
            Matcher call = CALL.matcher(line);
            if (call.matches() && !OF_THE_JVM.contains(call.group(1))) {
                String name = WAITS.contains(call.group(1)) ? "wait" : call.group(1);
                calls.add(name.equals("recvmmsg") && "-1".equals(call.group(2)) ? "recvmmsg, nothing" : name);
            }
        }
        return calls.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
}
