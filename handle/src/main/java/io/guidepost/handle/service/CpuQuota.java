package io.guidepost.handle.service;

import io.guidepost.base.SourceNetwork;
import io.guidepost.base.TokenBucket;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * CPU quotas of unauthenticated clients: for key derivations, signatures and key exchanges; and a rate limit of guessed
 * secrets, as a wrong proof is charged like long work. Each sender has a token bucket, and so have all together, so
 * that many senders leave processors for other requests. Senders of datagrams, whose addresses can be forged, share
 * another bucket. Thread-safe.
 *
 * <p>Tokens are microseconds of a processor, roughly: the order of magnitude is what counts.
 */
public final class CpuQuota {
    /** The cost of a signature with the server's key, or of a key exchange. */
    public static final int SIGNATURE_MICROS = 1_500;

    /** The charge of a wrong proof: ten guesses a second from one sender, in the long run. */
    public static final int WRONG_PROOF_MICROS = 100_000;

    /** The rate of one sender's bucket: one processor. */
    static final int SENDER_MICROS_PER_SECOND = 1_000_000;

    /** The capacity of one sender's bucket: tools with many short connections come in bursts. */
    static final int SENDER_MICROS_MAX = 10 * SENDER_MICROS_PER_SECOND;

    /**
     * Senders with a bucket: some hundred bytes each. An LRU list: an evicted sender has a full bucket, or is the least
     * recently used.
     */
    static final int SENDERS_MAX = 16_384;

    /**
     * Tells a refused client when to try again.
     *
     * @param ofSender whether the sender's own bucket is empty, not the common one
     * @param seconds until the bucket is open, at least one
     */
    public record Wait(boolean ofSender, long seconds) {
        private static Wait until(TokenBucket bucket, boolean ofSender) {
            return new Wait(ofSender, Math.ceilDiv(bucket.nanosUntilOpen(), TimeUnit.SECONDS.toNanos(1)));
        }
    }

    private final InstantSource clock;
    private final TokenBucket connected;
    private final TokenBucket invented;
    private final Map<Long, TokenBucket> senders = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, TokenBucket> eldest) {
            return size() > SENDERS_MAX;
        }
    };

    /**
     * Creates full buckets.
     *
     * @param processors of the machine: all senders together get half of them, and those of datagrams a quarter
     */
    public CpuQuota(InstantSource clock, int processors) {
        this.clock = clock;
        double rate = Math.max(1, processors) * (double) SENDER_MICROS_PER_SECOND / 2;
        this.connected = new TokenBucket(rate, 10 * rate);
        this.invented = new TokenBucket(rate / 2, 5 * rate);
    }

    /** Charges a connected sender, unless it must wait as its bucket or the common one is empty. */
    public Optional<Wait> charge(InetAddress sender, long micros) {
        return charge(SourceNetwork.subscriber(sender), connected, micros);
    }

    /** Charges the sender of a message; returns false if its bucket or the common one is empty. */
    boolean tryAcquire(HandleRequest call, long micros) {
        TokenBucket common = call.transport() == HandleRequest.Transport.UDP ? invented : connected;
        return charge(call.subscriber(), common, micros).isEmpty();
    }

    private synchronized Optional<Wait> charge(long sender, TokenBucket common, long micros) {
        long now = nanos();
        TokenBucket own = account(sender);
        if (!own.isOpen(now)) {
            return Optional.of(Wait.until(own, true));
        }
        if (!common.isOpen(now)) {
            return Optional.of(Wait.until(common, false));
        }
        own.spend((double) micros);
        common.spend((double) micros);
        return Optional.empty();
    }

    /** Charges a sender for a wrong proof. */
    public void wrongProof(InetAddress sender) {
        wrongProof(SourceNetwork.subscriber(sender));
    }

    synchronized void wrongProof(long sender) {
        TokenBucket own = account(sender);
        own.refill(nanos());
        own.spend(WRONG_PROOF_MICROS);
    }

    private TokenBucket account(long sender) {
        return senders.computeIfAbsent(sender, _ -> new TokenBucket(SENDER_MICROS_PER_SECOND, SENDER_MICROS_MAX));
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis());
    }
}
