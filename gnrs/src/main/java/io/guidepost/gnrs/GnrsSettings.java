package io.guidepost.gnrs;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Prefix;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The operator's settings of a GNRS door.
 *
 * @param bindingsMax places that one name may be bound to, 1 to 1024; more are refused with FAILED
 * @param answerBytesMax longest answer in bytes, 64 to 65,507; clients that do not announce a size get 2048 at most
 * @param amplificationMax the amplification bound: how many times longer than the request an answer to an unproven
 *     address may be, 1 to 100
 * @param trusted sources that are exempt from the amplification bound
 * @param writers sources that may write; writes of others are refused with FAILED, but for those that other servers of the
 *     deployment relay
 * @param writerNamesMax names that one source network may hold; 0 = no bound
 * @param writerBytesMax bytes of records that one source network may hold; 0 = no bound
 * @param ttlDefaultMillis cache TTL of bindings that come without one; 0 = none
 * @param expiryDefaultMillis time to expiry of bindings that come without one; 0 = never
 * @param writesInFlightMax writes of one worker that may wait for the store, 1 to 65,536; more are refused with FAILED
 * @param lookupsDeferredMax look-ups of one worker that may wait for the storage engine, 0 to 4096; more are refused
 *     with FAILED
 * @param advertised address that answers give as their origin; empty = the address that the request went to
 */
public record GnrsSettings(
        int bindingsMax,
        int answerBytesMax,
        int amplificationMax,
        List<Prefix> trusted,
        List<Prefix> writers,
        long writerNamesMax,
        long writerBytesMax,
        long ttlDefaultMillis,
        long expiryDefaultMillis,
        int writesInFlightMax,
        int lookupsDeferredMax,
        Optional<InetSocketAddress> advertised) {

    private static final List<Prefix> LOOPBACK = List.of(Prefix.LOOPBACK_IPV4, Prefix.LOOPBACK_IPV6);

    /** Checks the ranges and copies the lists. */
    public GnrsSettings {
        check("bindingsMax", bindingsMax, 1, CommonLimits.LOCATORS_MAX);
        check(
                "answerBytesMax",
                answerBytesMax,
                io.guidepost.gnrs.wire.GnrsLimits.ANSWER_BYTES_MIN,
                io.guidepost.gnrs.wire.GnrsLimits.ANSWER_BYTES_MAX);
        check("amplificationMax", amplificationMax, 1, 100);
        check("writerNamesMax", writerNamesMax, 0, Long.MAX_VALUE);
        check("writerBytesMax", writerBytesMax, 0, Long.MAX_VALUE);
        check("ttlDefaultMillis", ttlDefaultMillis, 0, Long.MAX_VALUE);
        check("expiryDefaultMillis", expiryDefaultMillis, 0, Long.MAX_VALUE);
        check("writesInFlightMax", writesInFlightMax, 1, 1 << 16);
        check("lookupsDeferredMax", lookupsDeferredMax, 0, 1 << 12);
        if (advertised.isPresent() && advertised.get().isUnresolved()) {
            throw new IllegalArgumentException("advertised must be an address, not the name " + advertised.get());
        }
        trusted = List.copyOf(trusted);
        writers = List.copyOf(writers);
    }

    /** Returns one hundred places a name, answers of 16 KiB, amplification 3, loopback trusted and the only writer, no default times. */
    public static GnrsSettings defaults() {
        return new GnrsSettings(
                100,
                16_384,
                3,
                LOOPBACK,
                LOOPBACK,
                0,
                0,
                0,
                0,
                4096,
                256,
                Optional.empty());
    }

    private static void check(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " is from " + least + " to " + most + ", not " + value);
        }
    }

    boolean trusts(long high, long low) {
        return contains(trusted, high, low);
    }

    boolean mayWrite(long high, long low) {
        return contains(writers, high, low);
    }

    /** By index: an iterator would be garbage for each request. */
    private static boolean contains(List<Prefix> prefixes, long high, long low) {
        for (int i = 0; i < prefixes.size(); i++) {
            if (prefixes.get(i).contains(high, low)) {
                return true;
            }
        }
        return false;
    }
}
