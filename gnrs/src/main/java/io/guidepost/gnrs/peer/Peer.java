package io.guidepost.gnrs.peer;

import io.guidepost.base.Addresses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A peer: one server of the deployment with its measured health and latency. All workers update and read it without a
 * lock; of two simultaneous updates one may be lost, which an average tolerates.
 */
public final class Peer {
    /** The result of the passive health check. */
    public enum Health {
        /** No request was sent to it yet. */
        UNKNOWN,
        /** It responds. */
        UP,
        /** It left some requests unanswered in a row. */
        DOWN
    }

    /** Timeouts in a row until a peer counts as down: one or two are lost on a bad day. */
    public static final int SILENCES_MAX = 3;

    private static final VarHandle RTT;
    private static final VarHandle SLOW;
    private static final VarHandle SILENCES;
    private static final VarHandle ANSWERED_AT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RTT = lookup.findVarHandle(Peer.class, "rttNanos", long.class);
            SLOW = lookup.findVarHandle(Peer.class, "slowNanos", long.class);
            SILENCES = lookup.findVarHandle(Peer.class, "silences", int.class);
            ANSWERED_AT = lookup.findVarHandle(Peer.class, "answeredAtNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PeerDescriptor descriptor;
    private final boolean own;
    private final long high;
    private final long low;

    @SuppressWarnings("unused") // Accessed through RTT.
    private long rttNanos;

    @SuppressWarnings("unused") // Accessed through SLOW.
    private long slowNanos;

    @SuppressWarnings("unused") // Accessed through SILENCES.
    private int silences;

    @SuppressWarnings("unused") // Accessed through ANSWERED_AT.
    private long answeredAtNanos;

    public Peer(PeerDescriptor site, boolean own) {
        this.descriptor = site;
        this.own = own;
        byte[] bytes = site.address().getAddress().getAddress();
        if (site.address().getAddress() instanceof Inet4Address) {
            high = Addresses.IPV4_HIGH;
            low = Addresses.ipv4Low(ByteBuffer.wrap(bytes).getInt());
        } else {
            high = ByteBuffer.wrap(bytes).getLong();
            low = ByteBuffer.wrap(bytes).getLong(8);
        }
    }

    /** Returns name, address and kind. */
    public PeerDescriptor descriptor() {
        return descriptor;
    }

    /** Returns whether it is this server itself. */
    public boolean own() {
        return own;
    }

    public InetSocketAddress address() {
        return descriptor.address();
    }

    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    public int port() {
        return descriptor.address().getPort();
    }

    boolean isAt(long peerHigh, long peerLow, int peerPort) {
        return low == peerLow && high == peerHigh && port() == peerPort;
    }

    /** Takes a response, {@code nanos} after its request. */
    void answered(long nanos, long nowNanos) {
        long smooth = (long) RTT.getOpaque(this);
        RTT.setOpaque(this, smooth == 0 ? nanos : smooth + (nanos - smooth) / 8);
        // A quantile by small steps: 19 steps up for one down keep 95 of 100 responses below it.
        long slow = (long) SLOW.getOpaque(this);
        long step = Math.max(1, slow / 100);
        SLOW.setOpaque(this, slow == 0 ? 2 * nanos : nanos > slow ? slow + 19 * step : slow - step);
        SILENCES.setOpaque(this, 0);
        ANSWERED_AT.setOpaque(this, nowNanos);
    }

    void silent() {
        SILENCES.setOpaque(this, Math.min(Integer.MAX_VALUE - 1, (int) SILENCES.getOpaque(this)) + 1);
    }

    /** Returns its health. */
    public Health health() {
        return (int) SILENCES.getOpaque(this) >= SILENCES_MAX
                ? Health.DOWN
                : (long) RTT.getOpaque(this) == 0 ? Health.UNKNOWN : Health.UP;
    }

    /** Returns the smoothed round-trip time in nanoseconds (the average of RFC 6298); 0 if unknown. */
    public long rttNanos() {
        return (long) RTT.getOpaque(this);
    }

    /** Returns the 95th percentile of its response times, in nanoseconds; 0 if unknown. */
    public long slowNanos() {
        return (long) SLOW.getOpaque(this);
    }

    /** Returns the time of its last response, by the clock of {@link System#nanoTime}; meaningless before the first. */
    public long answeredAtNanos() {
        return (long) ANSWERED_AT.getOpaque(this);
    }

    @Override
    public String toString() {
        return descriptor.name();
    }
}
