package io.guidepost.lab.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.cli.support.ChildProcesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** {@code guidepost serve --demo} in a process of its own, at free ports in place of the standard ones. */
final class DemoServer implements AutoCloseable {
    private static final String LAST_LINE = "Ctrl-C ends the demonstration";

    /** Four digits, as the standard ports have, so that tables look as they do with those. */
    private static final int PORT_LEAST = 5500;

    private static final int PORT_MOST = 9999;
    private static final long LOOK_NANOS = 1_000_000;

    private static final Map<String, Integer> STANDARD = new LinkedHashMap<>();

    static {
        STANDARD.put("gnrs.port", 5001);
        STANDARD.put("handle.udp-port", 2641);
        STANDARD.put("handle.tcp-port", 2641);
        STANDARD.put("handle.http-port", 8000);
        STANDARD.put("proxidor.port", 8899);
        STANDARD.put("alto.http-port", 5082);
        STANDARD.put("names.http-port", 5083);
        STANDARD.put("dns.port", 5053);
        STANDARD.put("admin.port", 5080);
    }

    private final Process process;
    private final Map<Integer, Integer> ports;
    private final String printed;

    private DemoServer(Process process, Map<Integer, Integer> ports, String printed) {
        this.process = process;
        this.ports = ports;
        this.printed = printed;
    }

    /** Starts one, and returns when it has printed what to try. The first answer over HTTP has a record of the demonstration. */
    static DemoServer start() throws IOException {
        Map<Integer, Integer> ports = new LinkedHashMap<>();
        SplittableRandom random = new SplittableRandom();
        for (int standard : new LinkedHashSet<>(STANDARD.values())) {
            int port = 0;
            while (port == 0 || ports.containsValue(port) || STANDARD.containsValue(port) || !isFree(port)) {
                port = random.nextInt(PORT_LEAST, PORT_MOST + 1);
            }
            ports.put(standard, port);
        }
        List<String> arguments = new ArrayList<>(List.of("serve", "--demo"));
        STANDARD.forEach((key, standard) -> arguments.addAll(List.of("--set", key + "=" + ports.get(standard))));
        List<String> command = BuiltServer.command(List.of("-XX:TieredStopAtLevel=1"), arguments);
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertThat(firstAnswer(process, requireNonNull(ports.get(5083)))).isEqualTo("HTTP/1.1 200 OK");
        StringBuilder printed = new StringBuilder();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (Optional<String> line = next(out); line.isPresent(); line = next(out)) {
            printed.append(line.get()).append('\n');
            if (line.get().startsWith(LAST_LINE)) {
                return new DemoServer(process, ports, printed.toString());
            }
        }
        process.destroyForcibly();
        throw new AssertionError("the demonstration ended: " + printed);
    }

    /** Returns the status line of the answer to who comes as soon as the port is open. */
    private static String firstAnswer(Process process, int port) throws IOException {
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                String request = "GET /v1/names/printer HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
            } catch (ConnectException notYet) {
                assertThat(process.isAlive()).isTrue();
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private static Optional<String> next(BufferedReader in) throws IOException {
        return Optional.ofNullable(in.readLine());
    }

    private static boolean isFree(int port) {
        for (String each : List.of("127.0.0.1", "::1")) {
            try (ServerSocket tcp = new ServerSocket();
                    DatagramSocket udp = new DatagramSocket(new InetSocketAddress(InetAddress.getByName(each), port))) {
                tcp.bind(new InetSocketAddress(InetAddress.getByName(each), port));
                assertThat(udp.isBound()).isTrue();
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }

    /** What it printed, as at the standard ports. */
    String printed() {
        return standard(printed);
    }

    /** A text with this server's ports as if they were the standard ones, of which options need not speak. */
    String standard(String text) {
        String plain = text.replace(" --server 127.0.0.1:" + ports.get(5001), "").replace(" -S 127.0.0.1:" + ports.get(8899), "");
        for (Map.Entry<Integer, Integer> each : ports.entrySet()) {
            plain = plain.replaceAll("(:|-p )" + each.getValue() + "(?!\\d)", "$1" + each.getKey());
        }
        return plain;
    }

    /** A text with the standard ports as this server's. */
    String own(String text) {
        String own = text;
        for (Map.Entry<Integer, Integer> each : ports.entrySet()) {
            own = own.replaceAll("(127\\.0\\.0\\.1(?::| -p ))" + each.getKey() + "(?!\\d)", "$1" + each.getValue());
        }
        return own;
    }

    /** The options by which a command finds this server. */
    List<String> options(List<String> command) {
        List<String> options = new ArrayList<>();
        switch (command.getFirst()) {
            case "get", "put", "rm" -> options.addAll(List.of("--server", "127.0.0.1:" + ports.get(5001)));
            case "ls", "watch" -> options.addAll(List.of("--url", "http://127.0.0.1:" + ports.get(5083)));
            case "rank", "ping" -> options.addAll(List.of("-S", "127.0.0.1:" + ports.get(8899)));
            case "handle" -> options.addAll(List.of("--server", "127.0.0.1:" + ports.get(2641)));
            default -> {}
        }
        if (command.getFirst().equals("oracle") || command.contains("--explain")) {
            options.addAll(List.of("--admin", "127.0.0.1:" + ports.get(5080)));
        }
        return options;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        ChildProcesses.await(process);
    }
}
