package io.guidepost.server.cli.names;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What one server has of a GUID, asked with a look-up that it may not pass on.
 *
 * @param server which one
 * @param answer what it said, or null if it could not even be asked
 */
record ReplicaState(InetSocketAddress server, @Nullable GnrsResponse answer) {
    private static final int ATTEMPTS = 2;

    static List<ReplicaState> ask(Guid guid, List<InetSocketAddress> servers, Duration timeout) {
        int millis = Math.clamp(timeout.toMillis(), 1, 60_000);
        List<Future<ReplicaState>> asked;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            asked = servers.stream().map(each -> executor.submit(() -> ask(guid, each, millis))).toList();
        }
        return asked.stream().map(Future::resultNow).toList();
    }

    private static ReplicaState ask(Guid guid, InetSocketAddress server, int millis) {
        AtomicReference<GnrsResponse> taken = new AtomicReference<>();
        try (GnrsClient client = GnrsClient.open(server, new GnrsClientSettings(millis, ATTEMPTS, 1))) {
            client.batch(List.of(GnrsRequest.lookup(guid, false)).iterator(), taken::set);
        } catch (IOException e) {
            // Its network cannot be reached: as good as no answer.
        }
        return new ReplicaState(server, taken.get());
    }

    /** Whether it said what it has. */
    boolean answered() {
        return answer != null && answer.outcome() == GnrsResponse.Outcome.SUCCESS;
    }

    /** The places that it has, in one order for all. */
    Set<String> places() {
        Set<String> places = new TreeSet<>();
        if (answer != null) {
            answer.bindings().stream().map(Binding::locator).map(Locator::toString).forEach(places::add);
        }
        return places;
    }

    String text() {
        if (answer == null) {
            return "cannot be reached";
        }
        return switch (answer.outcome()) {
            case SUCCESS -> switch (answer.total()) {
                case 0 -> "nothing";
                case 1 -> "1 place";
                default -> answer.total() + " places";
            };
            case FAILED -> "refuses: not placed there";
            case TIMEOUT -> "does not answer";
            case UNREACHABLE -> "is not running";
        };
    }

    /** Whether all answered, and have the same. */
    static boolean agree(List<ReplicaState> holdings) {
        return holdings.stream().allMatch(ReplicaState::answered)
                && holdings.stream().map(ReplicaState::places).distinct().count() == 1;
    }
}
