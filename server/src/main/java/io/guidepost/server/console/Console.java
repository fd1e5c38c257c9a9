package io.guidepost.server.console;

import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.admin.MachineChecks;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.Key;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.store.RecordStore;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The console of an operator in a browser: pages of the admin port under {@code /ui/}, and what they read. */
public final class Console implements AutoCloseable {
    private final Configuration configuration;
    private final ConsoleFeed feed;
    private final NamePages names;
    private final AdminPort port;

    /**
     * Makes it.
     *
     * @param port that has the pages of all services already
     * @param metrics a scrape
     * @param signs what has viewers told at once when it changes
     * @param door where this server answers GNRS; empty if it does not
     */
    public Console(
            AdminPort port,
            Configuration configuration,
            RecordStore records,
            Supplier<String> metrics,
            Supplier<String> signs,
            Optional<InetSocketAddress> door) {
        this.port = port;
        this.configuration = configuration;
        this.feed = new ConsoleFeed(metrics, this::facts, signs);
        this.names = new NamePages(records, door);
    }

    /** Adds its pages. */
    public void addPages() {
        names.addTo(port);
        port.under("/ui/", ConsoleFiles::answer).get(AdminPort.EVENTS, _ -> feed.page()).getGuarded("/advice", _ -> advice());
    }

    /** What is no number, as pages of the admin port tell it. */
    private String facts() {
        return "{\"health\":" + told("/health") + ",\"sites\":" + told("/sites") + "}";
    }

    /** A page in one line; a line break of JSON text is never within a string. */
    private String told(String page) {
        return port.told(page).lines().map(String::strip).collect(Collectors.joining());
    }

    /** What is set otherwise than the defaults, and what {@code guidepost doctor} says but for ports, which are in use by this server. */
    private HttpResponse advice() throws IOException {
        List<Object> rows = new ArrayList<>();
        for (Key<?> each : ConfigurationKeys.ALL) {
            if (!configuration.origin(each).equals(Configuration.DEFAULT)) {
                rows.add(JsonWriter.object(
                        "key", each.name(),
                        "value", configuration.print(each),
                        "standard", each.printStandard(),
                        "origin", configuration.origin(each),
                        "sentence", each.sentence()));
            }
        }
        List<Object> checks = new ArrayList<>();
        MachineChecks.machine(configuration).forEach(each -> checks.add(each.json()));
        MachineChecks.configured(configuration).forEach(each -> checks.add(each.json()));
        return AdminPort.json(200, JsonWriter.object("changed", rows, "keys", ConfigurationKeys.ALL.size(), "checks", checks));
    }

    /** Writes what it counted. */
    public void write(Exposition out) {
        feed.write(out);
    }

    @Override
    public void close() {
        feed.close();
    }
}
