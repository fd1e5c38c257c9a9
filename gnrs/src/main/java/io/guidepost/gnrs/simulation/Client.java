package io.guidepost.gnrs.simulation;

import io.guidepost.gnrs.GnrsRequest;
import io.guidepost.gnrs.Message;
import io.guidepost.gnrs.Option;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client of a simulated deployment: one request at a time, of any server; if no answer comes, or one that says FAILED,
 * perhaps another attempt, with a new id, perhaps of another server.
 */
final class Client {
    private static final int PORT = 4001;

    /** How long it waits for an answer. */
    private static final long PATIENCE_MILLIS = 4000;

    private static final int ATTEMPTS_MAX = 3;

    /** Hears of an operation: its last attempt. */
    @FunctionalInterface
    interface Done {
        void done(Attempt last);
    }

    private final Cluster cluster;
    private final World world;
    private final int host;
    private final SplittableRandom random;
    private @Nullable Attempt open;
    private Done then = last -> {};
    private List<Binding> bindings = List.of();
    private int attempts;

    Client(Cluster cluster, int host) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.host = host;
        this.random = world.random();
    }

    /** The place that a number stands for. */
    static Locator place(int number) {
        return new Locator(
                Locator.Type.IPV4_UDP.code(),
                new byte[] {
                    (byte) 192, (byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number, 7
                });
    }

    /** The number of a place. */
    static int number(Locator place) {
        byte[] data = place.data();
        if (place.type() != Locator.Type.IPV4_UDP.code() || data.length != 6 || data[0] != (byte) 192 || data[5] != 7) {
            throw new Breach(null, "a server answered with a place that no client ever bound: " + place);
        }
        return data[1] << 24 | (data[2] & 0xff) << 16 | (data[3] & 0xff) << 8 | data[4] & 0xff;
    }

    /** Begins an operation; there must be none under way. */
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
        Attempt attempt = new Attempt(id, operation, kind, guid, numbers, server, world.nanos(), cluster.epoch());
        cluster.history().add(attempt);
        open = attempt;
        byte[] bytes = message(attempt).write();
        cluster.network().send(host, PORT, server, Addresses.GNRS_PORT, bytes);
        world.afterMillis(PATIENCE_MILLIS, () -> giveUp(attempt));
    }

    private Message message(Attempt attempt) {
        Option[] options = {Option.recursion(true), Option.accept(0xffff)};
        return switch (attempt.kind) {
            case INSERT -> Message.Insert.of(attempt.id, Message.noOrigin(), attempt.guid, bindings, options);
            case UPDATE -> Message.Update.of(attempt.id, Message.noOrigin(), attempt.guid, bindings, options);
            case LOOKUP -> new Message.Lookup(attempt.id, Message.noOrigin(), attempt.guid, List.of(options));
        };
    }

    private void giveUp(Attempt attempt) {
        if (open == attempt) {
            end(attempt);
        }
    }

    /** Takes an answer; one that is not waited for any more is not looked at. */
    void receive(Network.Datagram datagram) {
        Message message;
        try {
            message = Message.read(datagram.bytes());
        } catch (Malformed e) {
            throw new Breach("server " + datagram.fromHost() + " sent a client what is no message", e);
        }
        Attempt attempt = open;
        if (attempt == null || attempt.id != message.id() || !(message instanceof Message.Response response)) {
            return;
        }
        if (attempt.server != datagram.fromHost()) {
            throw new Breach(attempt.guid, "the answer to a client came from another server than it asked");
        }
        attempt.outcome =
                response.code() == Message.Code.SUCCESS ? Attempt.Outcome.SUCCESS : Attempt.Outcome.FAILED;
        if (message instanceof Message.LookupResponse found) {
            Set<Integer> numbers = new TreeSet<>();
            found.locators().forEach(each -> numbers.add(number(each)));
            attempt.found = numbers;
            if (found.total().orElse(0) > numbers.size()) {
                throw new Breach(attempt.guid, "an answer leaves bindings out though there was room for all");
            }
        }
        end(attempt);
    }

    private void end(Attempt attempt) {
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

    /** Binds numbers to places that do not end. */
    static List<Binding> bindings(List<Integer> numbers, long ttlMillis, long expiryMillis) {
        List<Binding> bindings = new ArrayList<>();
        numbers.forEach(each -> bindings.add(new Binding(place(each), ttlMillis, expiryMillis)));
        return bindings;
    }
}
