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

/** The real product with some handles, as a Handle server over UDP. */
public final class HandleUnderTest {
    /** Handles are this and a number. */
    public static final String PREFIX = "1234/";

    private static final long IMPORT_SECONDS_MAX = 60;

    private HandleUnderTest() {}

    /** Imports handles {@code 1234/0} to {@code 1234/n-1}, starts a server with them, and waits until it answers. */
    public static DoorUnderTest start(String name, int cpu, Path folder, int handles) throws IOException {
        int port = ServerUnderTest.freeUdpPort();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("store.folder", folder.resolve(name + "-records").toString());
        settings.put("handle.enabled", "true");
        settings.put("handle.listen", "127.0.0.1");
        settings.put("handle.folder", folder.resolve(name + "-keys").toString());
        settings.put("handle.udp-port", Integer.toString(port));
        settings.put("handle.tcp-port", Integer.toString(ServerUnderTest.freeTcpPort()));
        settings.put("handle.http-port", Integer.toString(ServerUnderTest.freeTcpPort()));
        StringBuilder batch = new StringBuilder("HOME 127.0.0.1:2641:TCP\n0.NA/1234\n");
        for (int i = 0; i < handles; i++) {
            batch.append("\nCREATE ").append(PREFIX).append(i).append("\n1 URL 86400 1110 UTF8 https://example.org/\n");
        }
        load(folder, batch.toString(), settings);
        ServerUnderTest server = ServerUnderTest.start(name, cpu, folder, settings);
        return new DoorUnderTest(server, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
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
