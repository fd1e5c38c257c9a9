package io.guidepost.server.cli;

import io.guidepost.base.AddressText;
import io.guidepost.server.Server;
import io.guidepost.server.admin.AdminService;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.log.LogSettings;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.ServiceManager;
import io.guidepost.server.takeover.TakeoverClient;
import io.guidepost.server.takeover.TakeoverServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * What {@code guidepost serve} does when its options are read: one server, or those of a demonstration, until a signal.
 *
 * @param options where the configuration is read, at the start and at each reload
 * @param ports settings of ports, which the configuration may override
 * @param sites servers of the demonstration; 0 = none, a server of the configuration
 * @param takeOver whether it takes over from the process that has the store
 * @param out where the ports are told
 */
record ServerProcess(ConfigurationOptions options, List<String> ports, int sites, boolean takeOver, PrintWriter out) {
    private static final long READY_MILLIS = 2;

    /** What the command does while a server answers: by itself it waits for its end. */
    @FunctionalInterface
    interface Task {
        int run(Server server) throws Exception;
    }

    /**
     * Serves.
     *
     * @param task after which it ends; null = it ends by a signal
     * @return one of {@link ExitCode}
     */
    int run(@Nullable Task task) throws Exception {
        Configuration configuration = options.load(ports);
        // First: whatever makes a logger fixes how the log looks, the library of the signals among it.
        LogSettings.apply(configuration);
        ServerDemo room = sites > 0 ? demonstration(configuration) : null;
        List<Server> servers = new ArrayList<>();
        ServiceManager manager = new ServiceManager(System.getenv(), ProcessHandle.current().pid());
        CountDownLatch closed = closeAtShutdown(servers, room, manager);
        try {
            start(servers, configuration, room);
            out.print(table(servers));
            if (room != null) {
                out.println(answering(servers));
                out.print(room.hints(servers.getFirst()));
            }
            out.flush();
            letTakeOver(servers, room, manager);
            manager.ready("answers", () -> servers.stream().allMatch(Server::workersTurn));
            if (task != null) {
                int code = task.run(servers.getFirst());
                return code + close(servers);
            }
            closed.await();
            return ExitCode.DONE;
        } catch (Exception e) {
            servers.forEach(Server::close);
            if (room != null) {
                room.delete();
            }
            throw e;
        }
    }

    private ServerDemo demonstration(Configuration configuration) throws Exception {
        if (!configuration.get(ConfigurationKeys.GNRS_ENABLED)) {
            throw configuration.fault(
                    ConfigurationKeys.GNRS_ENABLED, "--demo shows GNRS, which this turns off: leave one of them out");
        }
        return ServerDemo.make(sites, configuration.get(ConfigurationKeys.GNRS_PORT).intValue());
    }

    private void start(List<Server> servers, Configuration configuration, @Nullable ServerDemo room) throws Exception {
        synchronized (servers) {
            if (takeOver) {
                Server.check(configuration);
                Rehearsal.run(configuration);
                try (TakeoverClient before = TakeoverClient.connect(
                        configuration.get(ConfigurationKeys.STORE_FOLDER), AdminService.token(configuration))) {
                    servers.add(Server.takeOver(configuration, () -> options.load(ports), before));
                }
                return;
            }
            if (room == null) {
                servers.add(Server.start(configuration, () -> options.load(ports)));
                return;
            }
            for (int i = 0; i < sites; i++) {
                List<String> settings = new ArrayList<>(room.settings(i));
                settings.addAll(ports);
                Server.InitialRecords records = sites == 1 ? room::fill : Server.InitialRecords.NONE;
                servers.add(Server.start(options.load(settings), () -> options.load(settings), records));
            }
            if (sites > 1) {
                // The servers share the records by asking each other.
                room.fill(servers.getFirst());
            }
        }
    }

    /**
     * A signal ends the process by way of its shutdown hooks: the last writes are finished there, and a server that is
     * just starting, which may answer already, has started first. SIGTERM is how a service manager ends a server: the code is
     * then 0, where the JVM's own would say that a signal ended it. SIGHUP reloads; it ends a demonstration, whose terminal went.
     * JLine reaches the signals without naming classes of the JDK that the compiler warns of.
     */
    private static CountDownLatch closeAtShutdown(List<Server> servers, @Nullable ServerDemo room, ServiceManager manager) {
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            manager.stopping();
            close(servers);
            if (room != null) {
                room.delete();
            }
            closed.countDown();
        }, "guidepost-shutdown"));
        Signals.register("TERM", () -> {
            manager.stopping();
            Main.exit(close(servers));
        });
        if (room == null) {
            Signals.register("HUP", () -> {
                synchronized (servers) {
                    manager.reloading(() -> servers.forEach(Server::reload));
                }
            });
        }
        return closed;
    }

    /** A server without a store on the disk, or on a system that hands no sockets over, is ended and started instead. */
    private static void letTakeOver(List<Server> servers, @Nullable ServerDemo room, ServiceManager manager) {
        if (room != null || servers.getFirst().folder().toString().isEmpty()) {
            return;
        }
        try {
            servers.getFirst().letTakeOver(new TakeoverServer.Listener() {
                @Override
                public void begins() {
                    manager.reloads();
                }

                @Override
                public void failed() {
                    manager.goesOn();
                }

                @Override
                public void replaced(long process) {
                    manager.replaced(process);
                }

                @Override
                public void ended() {
                    Main.exit(close(servers));
                }
            });
        } catch (IOException e) {
            System.getLogger(ServeCommand.class.getName())
                    .log(Logger.Level.WARNING, "no process can take over from this one: {0}", e.getMessage());
        }
    }

    /** Waits until all doors of a demonstration answer, and tells how long after the start of the JVM that was. */
    private static String answering(List<Server> servers) throws InterruptedException {
        while (!servers.stream().allMatch(Server::isReady)) {
            TimeUnit.MILLISECONDS.sleep(READY_MILLIS);
        }
        return "start to the answers of all doors: " + ManagementFactory.getRuntimeMXBean().getUptime() + " ms";
    }

    private static int close(List<Server> servers) {
        try {
            synchronized (servers) {
                servers.forEach(Server::close);
            }
            return ExitCode.DONE;
        } catch (RuntimeException e) {
            System.getLogger(ServeCommand.class.getName()).log(Logger.Level.ERROR, "the server did not end cleanly: {0}", e.toString());
            return ExitCode.FAILED;
        }
    }

    private static String table(List<Server> servers) {
        TextTable table = new TextTable("service", "address", "port", "protocol");
        for (Server server : servers) {
            for (Endpoint each : server.endpoints()) {
                table.row(each.service(), AddressText.of(each.address()), each.port().isEmpty() ? "kernel" : each.port(), each.protocol());
            }
        }
        Path folder = servers.getFirst().folder();
        return table + servers.getFirst().writers() + "\nrecords in " + (servers.size() == 1 ? folder : folder.getParent())
                + ", acknowledged when durable as \"" + servers.getFirst().durability() + "\"\n";
    }
}
