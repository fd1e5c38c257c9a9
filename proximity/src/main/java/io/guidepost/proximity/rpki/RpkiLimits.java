package io.guidepost.proximity.rpki;

import java.time.Duration;

/** Bounds of RTR, each with its reason. */
final class RpkiLimits {
    /** Bytes of a PDU: an Error Report with a long PDU and a long text. All others have at most some hundred. */
    static final int PDU_BYTES_MAX = 1 << 14;

    /** VRPs of a cache: several times those of the whole Internet in 2025. */
    static final int VRPS_MAX = 2_000_000;

    /** Characters of the text of an Error Report that are shown: a line. */
    static final int TEXT_MAX = 200;

    /** How long a cache may be silent in the middle of an answer. */
    static final Duration ANSWER = Duration.ofMinutes(2);

    /** The times of RFC 8210 section 6, for version 0 that does not tell them: default, least and most. */
    static final int REFRESH = 3600;

    static final int REFRESH_MIN = 1;
    static final int REFRESH_MAX = 86_400;
    static final int RETRY = 600;
    static final int RETRY_MIN = 1;
    static final int RETRY_MAX = 7200;
    static final int EXPIRE = 7200;
    static final int EXPIRE_MIN = 600;
    static final int EXPIRE_MAX = 172_800;

    private RpkiLimits() {}
}
