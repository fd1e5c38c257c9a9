package io.guidepost.lab.soak;

import io.guidepost.client.GuidepostException;
import io.guidepost.client.NameClient;
import io.guidepost.client.NameLease;
import io.guidepost.client.NamePlace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A client that holds a place by a lease, looks whether it is there, ends the lease now and then, and takes another name. */
final class LeaseCheck implements SteadyClient.Request, AutoCloseable {
    static final Duration LENGTH = Duration.ofSeconds(10);
    private static final String KEEPS = "a lease that is renewed keeps its places";
    private static final String ENDS = "a lease that ends takes its places along";
    private static final NamePlace PLACE = NamePlace.of("192.0.2.1:7000");
    private static final int TURNS = 10;

    private final NameClient client;
    private final BrokenPromises broken;
    private final AtomicLong excusedNanos = new AtomicLong(System.nanoTime());
    private @Nullable NameLease lease;
    private int number;
    private int turn;
    private int lost;

    LeaseCheck(InetSocketAddress server, BrokenPromises broken) throws IOException {
        this.client = HttpNamesAccess.open(server);
        this.broken = broken;
    }

    /** The server's clock is set forward: leases may end until they have been renewed. */
    void excuse() {
        excusedNanos.set(System.nanoTime() + 2 * LENGTH.toNanos());
    }

    @Override
    public void send() throws IOException {
        try {
            @Nullable NameLease held = lease;
            if (held == null) {
                NameLease next = client.lease(LENGTH);
                next.add("lease-" + ++number, PLACE);
                lease = next;
                turn = 0;
                lost = 0;
            } else if (++turn < TURNS) {
                boolean excused = System.nanoTime() - excusedNanos.get() < 0;
                if (!isThere() && !excused) {
                    broken.add(KEEPS, "lease-" + number + " has no place");
                }
                if (held.lost() > lost && !excused) {
                    broken.add(KEEPS, "the server does not know the lease of lease-" + number);
                }
                lost = held.lost();
            } else {
                lease = null;
                held.close();
                if (isThere()) {
                    broken.add(ENDS, "lease-" + number + " has its place after the end");
                }
            }
        } catch (GuidepostException failed) {
            throw HttpNamesAccess.failure(failed);
        }
    }

    private boolean isThere() {
        return client.get("lease-" + number)
                .filter(each -> each.places().stream().anyMatch(place -> place.address().equals(PLACE.address())))
                .isPresent();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
