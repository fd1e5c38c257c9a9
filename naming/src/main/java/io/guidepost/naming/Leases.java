package io.guidepost.naming;

import io.guidepost.base.SharedCounters;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The leases of this server. What a lease holds is durable, as attributes of places; when it was renewed is known in memory
 * only, so that renewals cost no disk, and after a restart each lease counts its whole duration anew. Thread-safe.
 */
final class Leases {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{" + 2 * PlaceAttributes.LEASE_BYTES + "}");
    private static final long RETRY_NANOS = 1_000_000_000;

    private final RecordStore store;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;
    private final SharedCounters<NamingCount> counts;
    private final String number;
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>();

    /** A moment at which a lease is looked at; it may have been renewed since. */
    private record Due(long nanos, Lease lease) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return Long.signum(nanos - other.nanos);
        }
    }

    /** Takes over the leases that the store has. */
    Leases(RecordStore store, LongSupplier nanoClock, RandomGenerator random, SharedCounters<NamingCount> counts) throws IOException {
        this.store = store;
        this.nanoClock = nanoClock;
        this.random = random;
        this.counts = counts;
        this.number = NameIndex.leaseNumber(store, random);
        NameIndex.leases(store, (id, millis, guid) -> {
            if (id.startsWith(number)) {
                leases.computeIfAbsent(id, _ -> new Lease(id, millis, nanoClock.getAsLong())).names().add(guid);
            }
        });
        leases.values().forEach(each -> due.add(new Due(each.deadlineNanos(), each)));
    }

    int size() {
        return leases.size();
    }

    /** Hears of entries of leases, see {@link RecordStore.Observer}; the committer calls. */
    void changed(byte[] key, byte @Nullable [] after) {
        Lease lease = NameIndex.lease(key).map(leases::get).orElse(null);
        if (lease != null) {
            if (after == null) {
                lease.names().remove(NameIndex.leased(key));
            } else {
                lease.names().add(NameIndex.leased(key));
            }
        }
    }

    /** Returns the lease that a parameter means: a new one of a duration, or an existing one by its id. */
    Lease of(String parameter) throws Problem {
        Matcher duration = DURATION.matcher(parameter);
        if (duration.matches()) {
            return give(millis(Long.parseLong(duration.group(1)), duration.group(2)));
        }
        if (!ID.matcher(parameter).matches()) {
            throw new Problem(Problem.Kind.MALFORMED_REQUEST, "lease is a duration such as 30s, or the id of a lease");
        }
        Lease lease = find(parameter);
        if (lease.names().size() >= NamingLimits.LEASE_NAMES_MAX) {
            throw new Problem(Problem.Kind.TOO_LARGE, "a lease holds at most " + NamingLimits.LEASE_NAMES_MAX + " names");
        }
        return lease;
    }

    private static long millis(long number, String unit) throws Problem {
        long millis = switch (unit) {
            case "ms" -> number;
            case "s" -> number * 1000;
            case "m" -> number * 60_000;
            default -> number * 3_600_000;
        };
        if (millis < NamingLimits.LEASE_MIN.toMillis() || millis > NamingLimits.LEASE_MAX.toMillis()) {
            throw new Problem(Problem.Kind.MALFORMED_REQUEST, "a lease is from 1s to 24h long");
        }
        return millis;
    }

    private Lease give(long millis) throws Problem {
        if (leases.size() >= NamingLimits.LEASES_MAX) {
            counts.add(NamingCount.LEASES_REFUSED);
            throw new Problem(Problem.Kind.UNAVAILABLE, "there are " + NamingLimits.LEASES_MAX + " leases already");
        }
        byte[] rest = new byte[PlaceAttributes.LEASE_BYTES - number.length() / 2];
        synchronized (random) {
            random.nextBytes(rest);
        }
        Lease lease = new Lease(number + HexFormat.of().formatHex(rest), millis, nanoClock.getAsLong());
        leases.put(lease.id(), lease);
        look(lease.deadlineNanos(), lease);
        counts.add(NamingCount.LEASES_GIVEN);
        return lease;
    }

    private void look(long nanos, Lease lease) {
        synchronized (due) {
            due.add(new Due(nanos, lease));
            due.notifyAll();
        }
    }

    /** Returns a lease that has not ended. */
    Lease find(String id) throws Problem {
        Lease lease = leases.get(id);
        if (lease == null || lease.ended()) {
            throw gone(id);
        }
        return lease;
    }

    /** Returns the refusal of a lease that has ended. */
    static Problem gone(String id) {
        return new Problem(Problem.Kind.NO_SUCH_LEASE, "the lease " + id + " has ended: put the places again with a new one");
    }

    /** Renews a lease. */
    Lease renew(String id) throws Problem {
        Lease lease = find(id);
        lease.renew(nanoClock.getAsLong());
        if (lease.ended()) {
            throw gone(id);
        }
        counts.add(NamingCount.LEASES_RENEWED);
        return lease;
    }

    /** Ends a lease, and returns when its places are gone durably. */
    void end(String id) throws Problem, InterruptedException {
        Lease lease = find(id);
        if (!lease.end()) {
            throw gone(id);
        }
        counts.add(NamingCount.LEASES_ENDED);
        if (!release(lease)) {
            throw new Problem(Problem.Kind.UNAVAILABLE, "the store refuses writes; the places go as soon as it takes them");
        }
    }

    /** Forgets a lease that holds nothing: the write that it was given for was refused. */
    void forget(Lease lease) {
        if (lease.names().isEmpty() && lease.end()) {
            leases.remove(lease.id());
        }
    }

    /** Ends leases that are not renewed in time, until the thread is interrupted. */
    void run() {
        try {
            while (true) {
                Due next = next();
                Lease lease = next.lease;
                long now = nanoClock.getAsLong();
                if (lease.ended() && leases.containsKey(lease.id())) {
                    release(lease);
                } else if (lease.expire(now)) {
                    counts.add(NamingCount.LEASES_EXPIRED);
                    release(lease);
                } else if (!lease.ended()) {
                    look(lease.deadlineNanos(), lease);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks again which leases have ended: the clock was moved. */
    void wake() {
        synchronized (due) {
            due.notifyAll();
        }
    }

    private Due next() throws InterruptedException {
        synchronized (due) {
            while (true) {
                Due first = due.peek();
                long nanos = first == null ? 0 : first.nanos - nanoClock.getAsLong();
                if (first != null && nanos <= 0) {
                    return due.remove();
                }
                // 0 waits until one comes.
                due.wait(nanos == 0 ? 0 : nanos / 1_000_000 + 1);
            }
        }
    }

    /**
     * Removes the places of a lease that has ended. Returns false if the store refuses; it is tried again later.
     *
     * <p>A change that used the lease before it ended may be on its way to the disk. The first change here comes behind it, so
     * that all names are known when it is made.
     */
    private boolean release(Lease lease) throws InterruptedException {
        boolean done = await(submit(store::barrier));
        List<CompletableFuture<Boolean>> changes = new ArrayList<>();
        for (Guid each : lease.names()) {
            byte[] key = Name.of(each).key();
            changes.add(submit(then -> store.submit(key, new LeaseRelease(lease.id()), then)));
        }
        for (CompletableFuture<Boolean> each : changes) {
            done &= await(each);
        }
        if (done) {
            leases.remove(lease.id());
        } else {
            look(nanoClock.getAsLong() + RETRY_NANOS, lease);
        }
        return done;
    }

    private CompletableFuture<Boolean> submit(Predicate<RecordStore.Completion> change) throws InterruptedException {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        long end = nanoClock.getAsLong() + NamingLimits.QUEUE_WAIT_MAX.toNanos();
        while (!change.test((outcome, _) -> done.complete(outcome != RecordStore.Outcome.FAILED))) {
            if (nanoClock.getAsLong() - end > 0) {
                done.complete(false);
                return done;
            }
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return done;
    }

    private static boolean await(CompletableFuture<Boolean> done) throws InterruptedException {
        try {
            return done.get();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
