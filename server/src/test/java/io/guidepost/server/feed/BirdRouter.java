package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * The router daemon BIRD, announcing what it is given over a session to a port of ours. It has no kernel protocol, so it changes
 * nothing of any routing.
 */
final class BirdRouter implements AutoCloseable {
    /** A route as BIRD has it statically: with the path that it tells. */
    record Line(String prefix, long... path) {
        String text() {
            StringBuilder text = new StringBuilder("route ").append(prefix).append(" blackhole { ");
            for (int i = path.length - 1; i >= 0; i--) {
                text.append("bgp_path.prepend(").append(path[i]).append("); ");
            }
            return text.append("};\n").toString();
        }
    }

    private static final int SECONDS_MAX = 60;

    private final Path folder;
    private final Process process;

    private BirdRouter(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /** Whether it is here; the test that asks is skipped where it is not. */
    static void needed() {
        boolean found = Files.isExecutable(Path.of("/usr/sbin/bird")) && Files.isExecutable(Path.of("/usr/sbin/birdc"));
        assumeTrue(found, "there is no BIRD 2 here (apt: bird2)");
    }

    /** Writes what is announced; heeded at the start, and by {@link #reconfigure}. */
    static void write(Path folder, Collection<Line> ipv4, Collection<Line> ipv6) throws IOException {
        try (BufferedWriter four = Files.newBufferedWriter(folder.resolve("four.conf"));
                BufferedWriter six = Files.newBufferedWriter(folder.resolve("six.conf"))) {
            for (Line each : ipv4) {
                four.write(each.text());
            }
            for (Line each : ipv6) {
                six.write(each.text());
            }
        }
    }

    /**
     * Starts it with what was written into a folder, as AS 65000 with a session to a port of ours.
     *
     * @param password of the session; empty = none
     */
    static BirdRouter start(Path folder, RouterMessages wire, int port, String password) throws IOException {
        Files.writeString(folder.resolve("bird.conf"), """
                log "%1$s/bird.log" all;
                debug protocols { events };
                router id 10.0.0.2;
                protocol device {}
                protocol static four {
                  ipv4;
                include "%1$s/four.conf";
                }
                protocol static six {
                  ipv6;
                include "%1$s/six.conf";
                }
                protocol bgp guidepost {
                  local %4$s port %2$d as 65000;
                  neighbor %5$s port %3$d as 65000;
                  %6$s
                  multihop;
                  connect delay time 1;
                  connect retry time 1;
                  error wait time 1, 2;
                  ipv4 { import none; export all; next hop address 10.1.0.1; };
                  ipv6 { import none; export all; next hop address 2001:db8::1; };
                }
                """.formatted(folder, freePort(), port, wire.routers(), wire.ours(),
                        password.isEmpty() ? "" : "password \"" + password + "\";"));
        Process process = new ProcessBuilder(wire.command(
                        "/usr/sbin/bird", "-f", "-c", folder + "/bird.conf", "-s", folder + "/bird.ctl", "-P", folder + "/pid"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("bird.out").toFile())
                .start();
        return new BirdRouter(folder, process);
    }

    private static int freePort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Has it read anew what was written. */
    void reconfigure() throws IOException {
        String said = control("configure");
        assertThat(said).contains("Reconfigured");
    }

    /** Says something to it on its console, and returns what it says. */
    String control(String command) throws IOException {
        Process control = new ProcessBuilder("/usr/sbin/birdc", "-s", folder + "/bird.ctl", command)
                .redirectErrorStream(true)
                .start();
        String said = new String(control.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        control.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        return said;
    }

    /** Whether it has not given up. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** What it wrote down, for messages of tests. */
    String log() {
        try {
            return Files.readString(folder.resolve("bird.out")) + Files.readString(folder.resolve("bird.log"));
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    }
}
