package io.guidepost.server.feed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Where a router daemon of a test runs: in a network namespace of its own, at the other end of a pair of veth, where this user
 * may have one (root, ip of iproute2); else beside us, over loopback.
 */
final class RouterMessages implements AutoCloseable {
    private static final int SECONDS_MAX = 60;

    private final String namespace;
    private final String device;
    private final String ours;
    private final String routers;

    private RouterMessages(String namespace, String device, String ours, String routers) {
        this.namespace = namespace;
        this.device = device;
        this.ours = ours;
        this.routers = routers;
    }

    static RouterMessages open() throws IOException {
        long own = ProcessHandle.current().pid();
        String name = "gpfeed" + own;
        if (!runs("ip netns add " + name)) {
            return new RouterMessages("", "", "127.0.0.1", "127.0.0.1");
        }
        // Addresses for measurements (RFC 2544): nobody has them, and tests beside this one have others.
        String net = "198.18." + own % 256 + '.';
        int first = (int) (own / 256 % 64) * 4;
        String device = "gpf" + own;
        RouterMessages wire = new RouterMessages(name, device, net + (first + 1), net + (first + 2));
        String inside = "ip netns exec " + name + ' ';
        if (!runs("ip link add " + device + " type veth peer name router netns " + name
                + " && ip addr add " + wire.ours + "/30 dev " + device + " && ip link set " + device + " up"
                + " && " + inside + "ip addr add " + wire.routers + "/30 dev router"
                + " && " + inside + "ip link set router up && " + inside + "ip link set lo up")) {
            wire.close();
            throw new IOException("the namespace " + name + " cannot be joined to this one");
        }
        return wire;
    }

    private static boolean runs(String line) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean done = process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join().exitValue() == 0;
        if (!done) {
            System.out.println(line + ": " + said);
        }
        return done;
    }

    /** Our address. */
    String ours() {
        return ours;
    }

    /** That of the router. */
    String routers() {
        return routers;
    }

    /** What runs a command where the router is. */
    List<String> command(String... words) {
        List<String> command = new ArrayList<>();
        if (!namespace.isEmpty()) {
            command.addAll(List.of("ip", "netns", "exec", namespace));
        }
        command.addAll(List.of(words));
        return command;
    }

    @Override
    public void close() throws IOException {
        if (!namespace.isEmpty()) {
            // The pair would go with the namespace, but some time later: the next wire may have the same names.
            runs("ip link del " + device);
            runs("ip netns del " + namespace);
        }
    }
}
