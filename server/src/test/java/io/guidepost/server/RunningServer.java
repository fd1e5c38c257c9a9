package io.guidepost.server;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.service.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A whole server in the test's own process, at ports that the system chose. */
public final class RunningServer implements AutoCloseable {
    private static final long WAIT_NANOS_MAX = 120_000_000_000L;

    private final Server server;

    private RunningServer(Server server) {
        this.server = server;
    }

    /** Starts one with its records in a folder, and further settings. */
    public static RunningServer start(Path folder, String... sets) throws ConfigurationException, IOException {
        Configuration configuration = configuration(folder, sets);
        return new RunningServer(Server.start(configuration, () -> configuration(folder, sets)));
    }

    /** Starts one whose settings may change. */
    public static RunningServer start(Path folder, List<String> sets) throws ConfigurationException, IOException {
        Server.Source source = () -> configuration(folder, sets.toArray(String[]::new));
        return new RunningServer(Server.start(source.load(), source));
    }

    /** Starts one whose settings may change, with another way to open hosts on ports of frames. */
    static RunningServer start(Path folder, List<String> sets, Workers.HostOpener opener) throws ConfigurationException, IOException {
        Server.Source source = () -> configuration(folder, sets.toArray(String[]::new));
        return new RunningServer(Server.start(source.load(), source, opener));
    }

    /** The settings of one. */
    public static Configuration configuration(Path folder, String... sets) throws ConfigurationException {
        List<String> all = new ArrayList<>(List.of(
                "gnrs.listen=127.0.0.1", "gnrs.port=0", "admin.port=0", "store.folder=" + folder.resolve("store"),
                "admin.backup-folder=" + folder.resolve("backups")));
        all.addAll(List.of(sets));
        return Configuration.load(null, Map.of(), all);
    }

    /** The server itself. */
    public Server server() {
        return server;
    }

    /** Where it answers GNRS first. */
    public InetSocketAddress address() {
        return server.gnrsAddresses().getFirst();
    }

    GnrsClient client() throws IOException {
        return GnrsClient.open(address(), new GnrsClientSettings(2000, 3, 64));
    }

    /** Reads a page of its admin port. */
    public String page(String path) throws IOException {
        return page(server.adminAddress().orElseThrow(), path);
    }

    /** Reads a page of the admin port of any server on this machine. */
    static String page(InetSocketAddress admin, String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + admin.getPort() + path);
        try (InputStream in = uri.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A sample of its metrics: name and labels as they are written there. */
    public double metric(String sample) throws IOException {
        return page("/metrics")
                .lines()
                .filter(each -> each.startsWith(sample + " "))
                .mapToDouble(each -> Double.parseDouble(each.substring(sample.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no sample " + sample));
    }

    /** Returns the sum of all samples of a metric whose labels contain some texts. */
    public double sum(String metric, String... labels) throws IOException {
        return page("/metrics")
                .lines()
                .filter(each -> each.startsWith(metric + " ") || each.startsWith(metric + "{"))
                .filter(each -> Stream.of(labels).allMatch(each::contains))
                .mapToDouble(each -> Double.parseDouble(each.substring(each.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Waits until something holds, and says whether it came to hold. */
    public static boolean eventually(BooleanSupplier holds) {
        long end = System.nanoTime() + WAIT_NANOS_MAX;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    @Override
    public void close() {
        server.close();
    }
}
