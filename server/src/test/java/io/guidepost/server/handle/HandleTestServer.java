package io.guidepost.server.handle;

import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A whole server with the handles of the demonstration, on ports that the system chose. */
final class HandleTestServer implements AutoCloseable {
    private final RunningServer running;

    private HandleTestServer(RunningServer running) {
        this.running = running;
    }

    static HandleTestServer start(Path folder, String... more) throws ConfigurationException, IOException {
        List<String> sets = new ArrayList<>(HandleDemo.settings());
        sets.addAll(List.of(
                "handle.listen=127.0.0.1",
                "handle.udp-port=0",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "http.idle-millis=60000",
                "handle.folder=" + folder.resolve("handle")));
        sets.addAll(List.of(more));
        RunningServer running = RunningServer.start(folder, sets.toArray(String[]::new));
        HandleDemo.fill(running.server());
        return new HandleTestServer(running);
    }

    Server server() {
        return running.server();
    }

    RunningServer running() {
        return running;
    }

    int tcpPort() {
        return server().handleTcpAddresses().getFirst().getPort();
    }

    int httpPort() {
        return server().handleHttpAddresses().getFirst().getPort();
    }

    @Override
    public void close() {
        running.close();
    }
}
