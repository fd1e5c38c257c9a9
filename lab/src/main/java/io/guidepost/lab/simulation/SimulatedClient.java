package io.guidepost.lab.simulation;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client of a simulated deployment, with one request at a time to any server. After a timeout or FAILED it may retry,
 * with a new id and perhaps at another server.
 */
final class SimulatedClient {
    private static final int PORT = 4001;

    /** The timeout of a request. */
    private static final long PATIENCE_MILLIS = 4000;

    private static final int ATTEMPTS_MAX = 3;

    /** Receives the last attempt of an operation. */
    @FunctionalInterface
    interface Done {
        void done(ClientAttempt last);
    }

    private final Cluster cluster;
    private final EventScheduler world;
    private final int host;
    private final SplittableRandom random;
    private @Nullable ClientAttempt open;
    private Done then = last -> {};
    private List<Binding> bindings = List.of();
    private int attempts;

    SimulatedClient(Cluster cluster, int host) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.host = host;
        this.random = world.random();
    }

    /** Returns the place of a number. */
    static Locator place(int number) {
        return new Locator(
                Locator.Type.IPV4_UDP.code(),
                new byte[] {
                    (byte) 192, (byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number, 7
                });
    }

    /** Returns the number of a place. */
    static int number(Locator place) {
        byte[] data = place.data();
        if (place.type() != Locator.Type.IPV4_UDP.code() || data.length != 6 || data[0] != (byte) 192 || data[5] != 7) {
            throw new Violation(null, "a server answered with a place that no client ever bound: " + place);
        }
        return data[1] << 24 | (data[2] & 0xff) << 16 | (data[3] & 0xff) << 8 | data[4] & 0xff;
    }

    /** Begins an operation; there must be none in flight. */
    void ask(GnrsRequest.Kind kind, Guid guid, List<Binding> places, int server, Done done) {
        then = done;
        bindings = places;
        attempts = 0;
        attempt(cluster.nextOperation(), kind, guid, server);
    }

    private void attempt(int operation, GnrsRequest.Kind kind, Guid guid, int server) {
        attempts++;
        int id = random.nextInt();
        while (cluster.history().has(id)) {
            id++;
        }
        Set<Integer> numbers = new TreeSet<>();
        bindings.forEach(each -> numbers.add(number(each.locator())));
        ClientAttempt attempt = new ClientAttempt(id, operation, kind, guid, numbers, server, world.nanos(), cluster.epoch());
        cluster.history().add(attempt);
        open = attempt;
        byte[] bytes = message(attempt).write();
        cluster.network().send(host, PORT, server, SimulatedAddresses.GNRS_PORT, bytes);
        world.afterMillis(PATIENCE_MILLIS, () -> giveUp(attempt));
    }

    private GnrsMessage message(ClientAttempt attempt) {
        GnrsOption[] options = {GnrsOption.recursion(true), GnrsOption.accept(0xffff)};
        return switch (attempt.kind) {
            case INSERT -> GnrsMessage.Insert.of(attempt.id, GnrsMessage.noOrigin(), attempt.guid, bindings, options);
            case UPDATE -> GnrsMessage.Update.of(attempt.id, GnrsMessage.noOrigin(), attempt.guid, bindings, options);
            case LOOKUP -> new GnrsMessage.Lookup(attempt.id, GnrsMessage.noOrigin(), attempt.guid, List.of(options));
        };
    }

    private void giveUp(ClientAttempt attempt) {
        if (open == attempt) {
            end(attempt);
        }
    }

    /** Takes a response; a late one is ignored. */
    void receive(SimulatedNetwork.Datagram datagram) {
        GnrsMessage message;
        try {
            message = GnrsMessage.read(datagram.bytes());
        } catch (Malformed e) {
            throw new Violation("server " + datagram.fromHost() + " sent a client a malformed message", e);
        }
        ClientAttempt attempt = open;
        if (attempt == null || attempt.id != message.id() || !(message instanceof GnrsMessage.Response response)) {
            return;
        }
        if (attempt.server != datagram.fromHost()) {
            throw new Violation(attempt.guid, "the answer to a client came from another server than it asked");
        }
        attempt.outcome =
                response.code() == GnrsMessage.Code.SUCCESS ? ClientAttempt.Outcome.SUCCESS : ClientAttempt.Outcome.FAILED;
        if (message instanceof GnrsMessage.LookupResponse found) {
            Set<Integer> numbers = new TreeSet<>();
            found.locators().forEach(each -> numbers.add(number(each)));
            attempt.found = numbers;
            if (found.total().orElse(0) > numbers.size()) {
                throw new Violation(attempt.guid, "an answer omits bindings though there was room for all");
            }
        }
        end(attempt);
    }

    private void end(ClientAttempt attempt) {
        open = null;
        attempt.endNanos = world.nanos();
        attempt.epochEnd = cluster.epoch();
        if (attempt.acknowledged() || attempts == ATTEMPTS_MAX || random.nextInt(4) == 0) {
            then.done(attempt);
            return;
        }
        int server = random.nextBoolean() ? attempt.server : cluster.anyServer(random);
        world.afterMillis(
                random.nextInt(200), () -> attempt(attempt.operation, attempt.kind, attempt.guid, server));
    }

    /** Binds numbers to places that do not expire. */
    static List<Binding> bindings(List<Integer> numbers, long ttlMillis, long expiryMillis) {
        List<Binding> bindings = new ArrayList<>();
        numbers.forEach(each -> bindings.add(new Binding(place(each), ttlMillis, expiryMillis)));
        return bindings;
    }
}
