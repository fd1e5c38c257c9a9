package io.guidepost.server.cli;

import io.guidepost.server.Configuration;
import io.guidepost.server.Keys;
import io.guidepost.server.Server;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code guidepost serve}: runs a server until it is told to end. */
@Command(
        name = "serve",
        description = "Runs a server until Ctrl-C or SIGTERM.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost serve --demo",
            "          guidepost serve --config guidepost.toml --set store.durability=os"
        })
final class Serve implements Callable<Integer> {
    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(
            names = "--demo",
            description = "On loopback, with sample records, in a temporary folder that is deleted at the end.")
    private boolean demo;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        List<String> before = List.of();
        Demo room = null;
        if (demo) {
            room = Demo.make();
            before = room.settings();
        }
        List<String> settings = before;
        Configuration configuration = options.load(settings);
        System.setProperty("tinylog.level", logLevel(configuration));
        try {
            Server server = Server.start(configuration, () -> options.load(settings));
            CountDownLatch closed = closeAtShutdown(server, room);
            PrintWriter out = spec.commandLine().getOut();
            out.print(ports(server));
            if (room != null) {
                room.fill(server);
                out.print(room.hints(server));
            }
            out.flush();
            closed.await();
            return Exit.DONE;
        } catch (Exception e) {
            if (room != null) {
                room.delete();
            }
            throw e;
        }
    }

    /** A signal ends the process by way of its shutdown hooks: the last writes are finished there. */
    private static CountDownLatch closeAtShutdown(Server server, @org.jspecify.annotations.Nullable Demo room) {
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            if (room != null) {
                room.delete();
            }
            closed.countDown();
        }, "guidepost-shutdown"));
        return closed;
    }

    private static String logLevel(Configuration configuration) {
        return switch (configuration.get(Keys.LOG_LEVEL)) {
            case ERROR -> "error";
            case WARNING -> "warn";
            case INFO -> "info";
            case DEBUG -> "debug";
        };
    }

    private static String ports(Server server) {
        Table table = new Table("port", "address", "protocol");
        for (InetSocketAddress each : server.gnrsAddresses()) {
            table.row("gnrs", Server.text(each), "GNRS over UDP");
        }
        server.adminAddress().ifPresent(each -> table.row("admin", Server.text(each), "HTTP: /metrics /health /status"));
        Path folder = server.folder();
        return table + "records in " + folder + ", acknowledged when durable as \"" + server.durability() + "\"\n";
    }
}
