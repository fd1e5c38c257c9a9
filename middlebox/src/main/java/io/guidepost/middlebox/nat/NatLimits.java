package io.guidepost.middlebox.nat;

/** Bounds and timeouts of address translation, each with its reason. */
final class NatLimits {
    /** Idle timeout of a UDP mapping (RFC 4787, REQ-5: five minutes recommended, two at least). */
    static final long UDP_MILLIS = 300_000;

    /** Idle timeout of an ICMP query mapping (RFC 5508, REQ-2: 60 seconds at least). */
    static final long ICMP_MILLIS = 60_000;

    /** Idle timeout of an established TCP connection's mapping (RFC 5382, REQ-5: 2 hours and 4 minutes at least). */
    static final long TCP_MILLIS = 7_440_000;

    /** Idle timeout of an opening or closing TCP connection's mapping (RFC 5382, REQ-5: 4 minutes at least). */
    static final long TCP_TRANSITORY_MILLIS = 240_000;

    /** How far a segment may be ahead of what was acknowledged, to move what may end its connection: much in flight is more. */
    static final int TCP_WINDOW = 1 << 20;

    /** Packets that wait for the first fragment of theirs: what a path reorders is few. */
    static final int HELD_FRAGMENTS = 64;

    /** Bytes of the longest of them: what a link without jumbo frames has. */
    static final int HELD_BYTES = 1536;

    /** How long they wait: paths reorder by milliseconds. */
    static final long HELD_MILLIS = 1_000;

    /** How soon a worker looks again for the first fragments. */
    static final long HELD_LOOK_NANOS = 1_000_000;

    /** How long nothing was refused before the log says that this is over. */
    static final long NOTICE_MILLIS = 60_000;

    /** Mappings that are checked for expiry in each millisecond: all of them within ten seconds, which is little of any timeout. */
    static final int SWEEP = 100;

    /** Ports tried for a new mapping, from a random one: more would make a flood expensive. */
    static final int PORT_TRIES = 4096;

    /** The same where each is a look into an index: enough to find one of a hundred that is free nine times of ten. */
    static final int SHARED_PORT_TRIES = 256;

    /** Mappings of a protocol that shares ports: four times as many as there are ports; each takes some 100 bytes. */
    static final int SHARED_MAPPINGS = 1 << 18;

    /** How often a reader looks again while entries of an index move, which takes nanoseconds each time. */
    static final int LOOKS = 1_000;

    /** Fragmented packets tracked for their later fragments, a power of two. */
    static final int FRAGMENTED = 1024;

    /** Lifetime of that state: senders do not reuse an identification sooner (RFC 6864 section 4.3). */
    static final long FRAGMENT_MILLIS = 15_000;

    /** Tracked peers of mappings, for address-dependent filtering; a power of two. */
    static final int PEERS = 1 << 18;

    private NatLimits() {}
}
