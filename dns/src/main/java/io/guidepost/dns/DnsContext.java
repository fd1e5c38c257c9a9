package io.guidepost.dns;

import io.guidepost.dns.wire.DnsCookies;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordStore;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all doors of a server share. Thread-safe.
 *
 * @param settings supplies the settings in force, read once per burst; the zone stays the same
 * @param store has the records
 * @param serials supplies the zone's serial
 * @param rankings supplies the ranking in force; null = places are not put in order
 * @param remotes supplies, for each thread, what other servers keep
 * @param nonTerminals the names above others
 * @param engine runs look-ups that may wait for the disk
 * @param network runs those that wait for other servers
 * @param cookies makes and checks cookies
 */
public record DnsContext(
        Supplier<DnsSettings> settings,
        RecordStore store,
        IntSupplier serials,
        @Nullable Supplier<Ranking> rankings,
        Supplier<RemoteNames> remotes,
        EmptyNonTerminals nonTerminals,
        Executor engine,
        Executor network,
        CookieSecret cookies) {
    /** The secret by which cookies are made. */
    public record CookieSecret(long first, long second) {
        /** Draws one. */
        public static CookieSecret of(LongSupplier random) {
            return new CookieSecret(random.getAsLong(), random.getAsLong());
        }
    }

    DnsResponder responder() {
        return new DnsResponder(
                settings, serials, new DnsCookies(cookies.first(), cookies.second()), rankings, nonTerminals);
    }

    /**
     * Creates a reader for one thread.
     *
     * @param waits whether it may wait for the disk
     */
    PlacedReader reader(boolean waits) {
        return new PlacedReader(waits ? store.throughReader() : store.reader(), remotes.get());
    }
}
