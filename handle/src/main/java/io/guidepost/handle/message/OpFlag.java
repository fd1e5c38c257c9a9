package io.guidepost.handle.message;

/** The flags of a header, one row each: what a request asks for, and whether the response repeats it. */
public enum OpFlag {
    /** Wants an authoritative response; a primary server sets it in every response. */
    AUTH(0x80000000, false),
    /** Wants a signed response, or one with a MAC. */
    CERT(0x40000000, true),
    /** Wants an encrypted response, which needs a session. */
    ENCR(0x20000000, true),
    /** Permits recursion; set in every response. */
    RECU(0x10000000, false),
    /** Requires that caches hold certified data. */
    CACR(0x08000000, true),
    /** Responses: another part follows. */
    CONT(0x04000000, false),
    /** Wants a persistent connection (keep-alive). */
    KPAL(0x02000000, false),
    /** Wants public values only, and no challenge. */
    PUBL(0x01000000, true),
    /** Wants a digest of the request in the response; set in challenges. */
    RRDG(0x00800000, true),
    /** Permits overwriting; set in the response if a value was replaced. */
    OVRW(0x00400000, false),
    /** Asks the server to append a generated suffix; set in the response if it did. */
    MINT(0x00200000, false),
    /** Wants no referral. */
    DNRF(0x00100000, true);

    /** The flags that every response repeats from its request. */
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

    /** Returns its bit on the wire. */
    public int bit() {
        return bit;
    }

    /** Returns whether {@code flags} has it. */
    public boolean in(int flags) {
        return (flags & bit) != 0;
    }

    /** Returns the bits of several flags. */
    public static int of(OpFlag... flags) {
        int bits = 0;
        for (OpFlag each : flags) {
            bits |= each.bit;
        }
        return bits;
    }
}
