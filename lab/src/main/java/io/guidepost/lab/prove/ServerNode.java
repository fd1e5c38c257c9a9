package io.guidepost.lab.prove;

import io.guidepost.server.cli.admin.SitesText;
import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One server of several on this machine, in a process of its own that can be killed and started again. */
final class ServerNode implements AutoCloseable {
    private final String name;
    private final InetSocketAddress address;
    private final List<String> settings;
    private final Path log;
    private @Nullable ChildServer server;

    /**
     * A server that does not run yet.
     *
     * @param address where it answers GNRS, and on the same number of TCP its admin port
     * @param common the settings that it shares with the others
     */
    ServerNode(String name, InetSocketAddress address, List<String> common, Path folder) {
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

    /** Starts it, and returns after how many milliseconds it answered. */
    long start() throws IOException {
        ChildServer started = ChildServer.start(address, settings, log);
        server = started;
        return started.startMillis();
    }

    ChildServer server() {
        if (server == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return server;
    }

    String name() {
        return name;
    }

    InetSocketAddress address() {
        return address;
    }

    /** What it says of the other servers, see {@code GET /sites}. */
    SitesText sites() throws IOException {
        return new SitesText(AdminOptions.of(address).get("/sites").object());
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
    }
}
