package io.guidepost.lab.prove;

import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One server of several on this machine, in a process of its own that can be killed and started again. */
final class ServerNode implements FleetMember {
    private final String name;
    private final InetSocketAddress address;
    private final List<String> settings;
    private final Path log;
    private final Map<String, String> environment;
    private @Nullable ChildServer server;

    /**
     * A server that does not run yet.
     *
     * @param address where it answers GNRS, and on the same number of TCP its admin port
     * @param common the settings that it shares with the others
     */
    ServerNode(String name, InetSocketAddress address, List<String> common, Path folder) {
        this(name, address, common, folder, Map.of());
    }

    /** The same with further variables of its environment. */
    ServerNode(String name, InetSocketAddress address, List<String> common, Path folder, Map<String, String> environment) {
        this.environment = environment;
        this.name = name;
        this.address = address;
        this.log = folder.resolve(name + ".log");
        String host = address.getAddress().getHostAddress();
        settings = new ArrayList<>(common);
        settings.addAll(List.of(
                "gnrs.listen=" + host,
                "gnrs.port=" + address.getPort(),
                "admin.address=" + host,
                "admin.port=" + address.getPort(),
                "store.folder=" + folder.resolve(name)));
    }

    @Override
    public long start() throws IOException {
        ChildServer started = ChildServer.start(address, ChildServer.serving(settings), environment, log);
        server = started;
        return started.startMillis();
    }

    ChildServer server() {
        if (server == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return server;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public InetAddress host() {
        return address.getAddress();
    }

    @Override
    public long pid() {
        return server().pid();
    }

    @Override
    public void kill() throws IOException {
        if (server != null) {
            server.kill();
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /**
     * Whether nothing is left to be brought into line, as {@code GET /sites} says: every other server answers, was compared within the
     * last milliseconds and does not differ, and no change waits for it.
     */
    boolean calm(long withinMillis) throws IOException {
        Map<String, Object> sites = AdminOptions.of(address).get("/sites").object();
        return !Boolean.TRUE.equals(sites.get("catchingUp"))
                && number(sites, "handOver") == 0
                && AdminOptions.rows(sites, "servers").stream().allMatch(each -> calm(each, withinMillis));
    }

    private static boolean calm(Map<?, ?> server, long withinMillis) {
        if (Boolean.TRUE.equals(server.get("own"))
                || number(server, "recordsShared") == 0
                || AdminOptions.text(server, "kind").equals("v1")) {
            return true;
        }
        return AdminOptions.text(server, "health").equals("up")
                && number(server, "hints") == 0
                && number(server, "rangesDiffering") == 0
                && server.get("comparedMillisAgo") instanceof Number ago
                && ago.longValue() < withinMillis;
    }

    private static long number(Map<?, ?> row, String name) {
        return row.get(name) instanceof Number number ? number.longValue() : 0;
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
    }
}
