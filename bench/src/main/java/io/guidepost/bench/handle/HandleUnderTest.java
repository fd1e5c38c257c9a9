package io.guidepost.bench.handle;

import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.DoorUnderTest;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The real product with some handles, as a Handle server.
 *
 * @param server the process
 * @param udp address over UDP
 * @param tcp address over TCP
 * @param http address over HTTP
 */
public record HandleUnderTest(ServerUnderTest server, InetSocketAddress udp, InetSocketAddress tcp, InetSocketAddress http) {
    /** Handles are this and a number. */
    public static final String PREFIX = "1234/";

    /** Who may do anything. */
    static final String ADMIN = "301:0.NA/1234";

    /** Secret key of the administrator. */
    static final String SECRET = "a secret";

    private static final long IMPORT_SECONDS_MAX = 60;

    /** Imports handles {@code 1234/0} to {@code 1234/n-1}, starts a server with them, and waits until it answers. */
    public static HandleUnderTest start(String name, int cpu, Path folder, int handles) throws IOException {
        return start(name, cpu, folder, handles, Map.of());
    }

    /**
     * Starts it with other doors beside.
     *
     * @param further configuration keys
     */
    public static HandleUnderTest start(String name, int cpu, Path folder, int handles, Map<String, String> further) throws IOException {
        InetSocketAddress udp = loopback(ServerUnderTest.freeUdpPort());
        InetSocketAddress tcp = loopback(ServerUnderTest.freeTcpPort());
        InetSocketAddress http = loopback(ServerUnderTest.freeTcpPort());
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("store.folder", folder.resolve(name + "-records").toString());
        settings.put("handle.enabled", "true");
        settings.put("handle.listen", "127.0.0.1");
        settings.put("handle.folder", folder.resolve(name + "-keys").toString());
        settings.put("handle.udp-port", Integer.toString(udp.getPort()));
        settings.put("handle.tcp-port", Integer.toString(tcp.getPort()));
        settings.put("handle.http-port", Integer.toString(http.getPort()));
        settings.put("handle.server-admins", ADMIN);
        settings.put("handle.permit", "prefix-admins,listing,server-admin-full-access");
        StringBuilder batch = new StringBuilder("HOME 127.0.0.1:2641:TCP\n0.NA/1234\n\nCREATE 0.NA/1234\n301 HS_SECKEY 86400 1100 UTF8 ")
                .append(SECRET)
                .append('\n');
        for (int i = 0; i < handles; i++) {
            batch.append("\nCREATE ").append(PREFIX).append(i).append("\n1 URL 86400 1110 UTF8 https://example.org/\n");
        }
        load(folder, batch.toString(), settings);
        settings.putAll(further);
        return new HandleUnderTest(ServerUnderTest.start(name, cpu, folder, settings), udp, tcp, http);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Returns the server by its address over UDP. */
    public DoorUnderTest overUdp() {
        return new DoorUnderTest(server, udp);
    }

    /** Returns its address over a transport. */
    InetSocketAddress address(HandleBenchCommand.Way way) {
        return switch (way) {
            case UDP -> udp;
            case TCP, TCP_KEEPALIVE, CREATE, CREATE_KEPT -> tcp;
            case HTTP_JSON, HTTP_NATIVE -> http;
        };
    }

    /** Imports a batch into the store of a server that does not run. */
    static void load(Path folder, String batch, Map<String, String> settings) throws IOException {
        Path file = Files.writeString(folder.resolve("handles.batch"), batch);
        List<String> command = new ArrayList<>(ServerUnderTest.command("import", "handle", file.toString()));
        settings.forEach((key, value) -> {
            command.add("--set");
            command.add(key + "=" + value);
        });
        try (ChildProcess child = ChildProcess.start("import", ProcessPinning.ANYWHERE, folder, command)) {
            child.finish(IMPORT_SECONDS_MAX);
        }
    }
}
