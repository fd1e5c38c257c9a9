package io.guidepost.handle.service;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

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

    private final InstantSource clock;
    private final Account connected;
    private final Account invented;
    private final Map<QuotaNetwork, Account> senders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<QuotaNetwork, Account> eldest) {
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
        long rate = Math.max(1, processors) * (long) SENDER_MICROS_PER_SECOND / 2;
        this.connected = new Account(rate, 10 * rate, clock.millis());
        this.invented = new Account(rate / 2, 5 * rate, clock.millis());
    }

    /** Charges a connected sender; returns false if its bucket or the common one is empty. */
    public boolean tryAcquire(InetAddress sender, long micros) {
        return tryAcquire(QuotaNetwork.of(sender), connected, micros);
    }

    /** Charges the sender of a message; returns false if its bucket or the common one is empty. */
    boolean tryAcquire(HandleRequest call, long micros) {
        return tryAcquire(QuotaNetwork.of(call), call.transport() == HandleRequest.Transport.UDP ? invented : connected, micros);
    }

    private synchronized boolean tryAcquire(QuotaNetwork sender, Account common, long micros) {
        long now = clock.millis();
        Account own = account(sender, now);
        if (!own.has(now) || !common.has(now)) {
            return false;
        }
        own.charge(micros);
        common.charge(micros);
        return true;
    }

    /** Charges a sender for a wrong proof. */
    public void wrongProof(InetAddress sender) {
        wrongProof(QuotaNetwork.of(sender));
    }

    synchronized void wrongProof(QuotaNetwork sender) {
        account(sender, clock.millis()).charge(WRONG_PROOF_MICROS);
    }

    private Account account(QuotaNetwork sender, long now) {
        return senders.computeIfAbsent(
                sender, _ -> new Account(SENDER_MICROS_PER_SECOND, SENDER_MICROS_MAX, now));
    }

    /** A token bucket; a charge may overdraw it. */
    private static final class Account {
        private final long microsPerSecond;
        private final long microsMax;
        private long micros;
        private long filledMillis;

        Account(long microsPerSecond, long microsMax, long now) {
            this.microsPerSecond = microsPerSecond;
            this.microsMax = microsMax;
            this.micros = microsMax;
            this.filledMillis = now;
        }

        boolean has(long now) {
            long passed = Math.clamp(now - filledMillis, 0, 60_000);
            micros = Math.min(microsMax, micros + passed * microsPerSecond / 1000);
            filledMillis = now;
            return micros > 0;
        }

        void charge(long cost) {
            micros -= cost;
        }
    }
}
