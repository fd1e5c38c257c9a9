package io.guidepost.handle.service;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds the work that anybody can cause before it is known who they are: derivations of keys, signatures, key exchanges;
 * and how often secrets can be guessed, as a wrong proof is charged like long work. Each sender has an account that fills
 * with time, and so have all together, so that many senders leave processors for the others' questions. Those who send
 * datagrams, whose addresses anybody can invent, have a common account of their own. Thread-safe.
 *
 * <p>Work is in microseconds of a processor, roughly: what is bounded is the order of magnitude.
 */
public final class CpuQuota {
    /** What a signature with the server's key, or a key exchange, costs. */
    public static final int SIGNATURE_MICROS = 1_500;

    /** What a wrong proof is charged: ten guesses a second from one sender, in the long run. */
    public static final int WRONG_PROOF_MICROS = 100_000;

    /** What one sender gets in a second: one processor. */
    static final int SENDER_MICROS_PER_SECOND = 1_000_000;

    /** What one sender can save: tools with many short connections come in bursts. */
    static final int SENDER_MICROS_MAX = 10 * SENDER_MICROS_PER_SECOND;

    /** Senders that are remembered: some hundred bytes each. What is forgotten had its account full, or is the oldest. */
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
     * Accounts that are full.
     *
     * @param processors of the machine: all senders together get half of them, and those of datagrams a quarter
     */
    public CpuQuota(InstantSource clock, int processors) {
        this.clock = clock;
        long rate = Math.max(1, processors) * (long) SENDER_MICROS_PER_SECOND / 2;
        this.connected = new Account(rate, 10 * rate, clock.millis());
        this.invented = new Account(rate / 2, 5 * rate, clock.millis());
    }

    /** Whether a sender, to whom there is a connection, may cause so much work; it is then charged. */
    public boolean tryAcquire(InetAddress sender, long micros) {
        return tryAcquire(QuotaNetwork.of(sender), connected, micros);
    }

    /** Whether the sender of a message may cause so much work; it is then charged. */
    boolean tryAcquire(HandleRequest call, long micros) {
        return tryAcquire(QuotaNetwork.of(call), call.transport() == HandleRequest.Transport.UDP ? invented : connected, micros);
    }

    private synchronized boolean tryAcquire(QuotaNetwork sender, Account everybody, long micros) {
        long now = clock.millis();
        Account own = account(sender, now);
        if (!own.has(now) || !everybody.has(now)) {
            return false;
        }
        own.charge(micros);
        everybody.charge(micros);
        return true;
    }

    /** Charges a sender for a proof that was wrong. */
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

    /** What somebody may still cost; may be overdrawn once. */
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
