package io.guidepost.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.cli.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@link DatagramPeer} on a socket of another kernel namespace, at the other end of a pair of virtual interfaces whose near
 * end is in the namespace of the test. Needs root.
 */
final class NamespaceClient implements DatagramClient {
    private static final int SECONDS_MAX = 20;

    private final String device;
    private final String space;
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter commands;

    /**
     * Makes namespace and interfaces; the test is skipped if it may not.
     *
     * @param device name of the interface on this side
     * @param address of the client, with the length of its prefix
     */
    NamespaceClient(String device, String address) throws IOException {
        this.device = device;
        this.space = device + "space";
        assumeTrue(run("ip", "netns", "add", space), "no network namespaces here: needs root and ip of iproute2");
        boolean made = run("ip", "link", "add", device, "type", "veth", "peer", "name", "far", "netns", space)
                && run("ip", "link", "set", device, "up")
                && run("ip", "-n", space, "addr", "add", address, "dev", "far")
                && run("ip", "-n", space, "link", "set", "far", "up");
        if (!made) {
            run("ip", "netns", "del", space);
            throw new IOException("the kernel makes no pair of virtual interfaces");
        }
        process = new ProcessBuilder(
                        "ip", "netns", "exec", space, Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath(),
                        DatagramPeer.class.getName(), address.substring(0, address.indexOf('/')))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        commands = new PrintWriter(process.outputWriter(StandardCharsets.US_ASCII), true);
        answers.readLine();
    }

    /** Returns where the classes of the client are, however the test was started. */
    private static String classPath() {
        return Stream.of(DatagramPeer.class, io.guidepost.packet.Port.class, io.guidepost.base.Addresses.class)
                .map(each -> each.getProtectionDomain().getCodeSource())
                .map(CodeSource::getLocation)
                .map(each -> Path.of(URI.create(each.toString())).toString())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean run(String... words) throws IOException {
        Process run = new ProcessBuilder(words).redirectErrorStream(true).start();
        run.getInputStream().readAllBytes();
        run.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        return run.exitValue() == 0;
    }

    /** Runs the guidepost command in the client's namespace; returns what it prints. */
    String guidepost(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", space));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(List.of(words));
        Process run = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        run.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        return said;
    }

    @Override
    public void send(InetSocketAddress to, byte[] bytes) {
        commands.println("send " + to.getAddress().getHostAddress() + " " + to.getPort() + " " + HexFormat.of().formatHex(bytes));
    }

    /** Does nothing: the kernel answers its neighbours. */
    @Override
    public void turn() {}

    @Override
    public Datagram receive() throws IOException {
        commands.println("receive");
        String line = answers.readLine();
        if (line == null) {
            throw new AssertionError("nothing came to the client in " + space);
        }
        String[] words = line.split(" ", -1);
        InetAddress from = InetAddress.ofLiteral(words[0]);
        return new Datagram(new InetSocketAddress(from, Integer.parseInt(words[1])), HexFormat.of().parseHex(words[2]));
    }

    @Override
    public void close() {
        commands.close();
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        try {
            // The kernel removes the interfaces of a namespace some time later, and until then this one would have the way to the clients.
            run("ip", "link", "del", device);
            run("ip", "netns", "del", space);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
