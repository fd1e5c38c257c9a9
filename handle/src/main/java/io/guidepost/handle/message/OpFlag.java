package io.guidepost.handle.message;

/** The flags of a header, one row each: what a request asks for, and whether its answer repeats it. */
public enum OpFlag {
    /** An authoritative answer is wanted; a primary server sets it in every answer. */
    AUTH(0x80000000, false),
    /** The answer is to be signed, or to have a MAC. */
    CERT(0x40000000, true),
    /** The answer is to be encrypted, which needs a session. */
    ENCR(0x20000000, true),
    /** The server may ask others; set in every answer. */
    RECU(0x10000000, false),
    /** Caches must hold certified data. */
    CACR(0x08000000, true),
    /** Answers: another part follows. */
    CONT(0x04000000, false),
    /** The connection is to stay open. */
    KPAL(0x02000000, false),
    /** Values that all may read are enough; no challenge is wanted. */
    PUBL(0x01000000, true),
    /** The answer is to begin with a digest of the request; set in challenges. */
    RRDG(0x00800000, true),
    /** What is there may be replaced; set in the answer if it was. */
    OVRW(0x00400000, false),
    /** The server is to append a suffix of its own; set in the answer if it did. */
    MINT(0x00200000, false),
    /** No referral is wanted. */
    DNRF(0x00100000, true);

    /** The flags that every answer repeats from its request. */
    public static final int REPEATED;

    static {
        int repeated = 0;
        for (OpFlag each : values()) {
            repeated |= each.isRepeated ? each.bit : 0;
        }
        REPEATED = repeated;
    }

    private final int bit;
    private final boolean isRepeated;

    OpFlag(int bit, boolean isRepeated) {
        this.bit = bit;
        this.isRepeated = isRepeated;
    }

    /** Its bit on the wire. */
    public int bit() {
        return bit;
    }

    /** Whether it is set. */
    public boolean in(int flags) {
        return (flags & bit) != 0;
    }

    /** The bits of several. */
    public static int of(OpFlag... flags) {
        int bits = 0;
        for (OpFlag each : flags) {
            bits |= each.bit;
        }
        return bits;
    }
}
