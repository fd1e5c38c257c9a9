package io.guidepost.server.service;

import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * One protocol of the server. The server takes all of its services through the same steps: {@link #bind}, {@link #prepare}, the
 * start of the workers, {@link #start}; and at the end {@link #stop}, the end of the workers, and {@link #close}. One thread
 * calls a service until it has started. After that, one thread at a time calls {@link #stage} and applies what was staged, and
 * any thread calls the others.
 */
public interface Service extends AutoCloseable {
    /** Returns what it answers over UDP: the server opens these ports, on every back end, before {@link #bind}. */
    default List<UdpService> udp() {
        return List.of();
    }

    /** Adds what it has the store do with each change; called before the store opens. */
    default StoreOptions store(StoreOptions options) {
        return options;
    }

    /**
     * Takes its other ports and reads its files. Connections wait from now on, and are answered after {@link #start}.
     *
     * @throws IOException in one line, if a port or a file cannot be had
     */
    default void bind() throws ConfigurationException, IOException {}

    /**
     * Takes what no two processes can have at a time; a server that hands over to this one has given it up by then.
     *
     * @throws IOException in one line, if it cannot be had
     */
    default void takeAlone() throws IOException {}

    /** Gives up what {@link #takeAlone} took, for another process; this one answers what it has begun, and ends. */
    default void giveUp() {}

    /** Returns its ports that take connections. */
    default List<HttpServer> listeners() {
        return List.of();
    }

    /** Returns the link of its program on an interface, which another process takes over with its sockets; empty if it has none. */
    default OptionalInt programLink() {
        return OptionalInt.empty();
    }

    /**
     * Makes what its doors need; the workers start after that.
     *
     * @param records the store, open
     */
    default void prepare(RecordStore records) throws ConfigurationException, IOException {}

    /** Lets connections in, and starts threads of its own. */
    default void start() throws ConfigurationException, IOException {}

    /**
     * Reads its part of a configuration that has been read anew, without effect on what is in force. The result is applied
     * when all services could be staged, and else forgotten.
     */
    default Staged stage(Configuration next) throws ConfigurationException, IOException {
        return Staged.NOTHING;
    }

    /** Returns where it is reached. */
    default List<Endpoint> endpoints() {
        return udp().stream().flatMap(each -> each.endpoints().stream()).toList();
    }

    /** Returns what is not as it should be; called now and then, by any thread, once the service has started. */
    default List<HealthCondition> conditions() {
        return List.of();
    }

    /** Returns how it is, for the pages {@code /ready} and {@code /health}. */
    default ServiceHealth health() {
        return ServiceHealth.READY;
    }

    /** Returns what its files said that are in force, numbers and names for people. */
    default Map<String, Object> summary() {
        return Map.of();
    }

    /** Adds its pages to the admin port. */
    default void pages(AdminPort port) {}

    /** Writes what it counted. */
    default void write(Exposition metrics) {}

    /** Takes no more connections; the workers end next. */
    default void stop() {}

    /** Ends it: its workers have ended, and the store is still open. A second call does nothing. */
    @Override
    default void close() {}
}
