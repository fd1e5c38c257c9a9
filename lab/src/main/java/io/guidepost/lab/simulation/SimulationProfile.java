package io.guidepost.lab.simulation;

import io.guidepost.gnrs.peer.PeerBounds;
import java.util.EnumSet;
import java.util.Set;

/** What a run is made to show: each profile leaves some of the mechanisms alone with a promise. */
public enum SimulationProfile {
    /** Any scenario: every kind of fault, every mechanism. */
    MIXED,

    /** Small bounds and floods of requests that reach them. */
    TIGHT {
        @Override
        Set<FaultKind> without() {
            // A small duplicate-request cache forgets what the network then delivers again.
            return EnumSet.of(FaultKind.DUPLICATES);
        }

        @Override
        boolean floods() {
            return true;
        }

        @Override
        boolean asksAll() {
            return true;
        }

        @Override
        int relaysMax() {
            return 20;
        }

        // Little above what waits for servers: so few are free under a flood that the quota of one name is reached too.
        @Override
        int writesInFlightMax() {
            return 22;
        }

        @Override
        int bindingsMax() {
            return 12;
        }

        @Override
        int cacheBytesMax() {
            return 4096;
        }

        @Override
        long hintBytesMax() {
            return 2048;
        }

        @Override
        long cacheMillis(long drawn) {
            return BRIEF_MILLIS;
        }

        @Override
        PeerBounds bounds() {
            return new PeerBounds(16, 4, 24, 2, 3, 6);
        }
    },

    /** No fault, and caches that outlive the run: what they hold is right because changes invalidate it, or it is wrong. */
    CALM {
        @Override
        Set<FaultKind> without() {
            return EnumSet.allOf(FaultKind.class);
        }

        @Override
        int cacheBytesMax() {
            return 16 << 20;
        }

        @Override
        long cacheMillis(long drawn) {
            return BRIEF_MILLIS;
        }

        @Override
        long ttlMillis(long drawn) {
            return LASTING_MILLIS;
        }

        @Override
        boolean fresh() {
            return true;
        }

        @Override
        PeerBounds bounds() {
            PeerBounds all = PeerBounds.defaults();
            return new PeerBounds(
                    all.repeatsMax(),
                    all.waitingPerNameMax(),
                    all.cachedNamesMax(),
                    CACHING_PEERS_MAX,
                    all.forgetsMax(),
                    all.mailboxMax());
        }
    },

    /**
     * One process at a time is killed, and nothing else: so all that was written is at servers that run, and one that comes back
     * may not answer out of what it had.
     */
    RESTART {
        @Override
        Set<FaultKind> without() {
            return EnumSet.complementOf(EnumSet.of(FaultKind.CRASH));
        }

        @Override
        boolean fresh() {
            return true;
        }
    },

    /** No comparison of replicas: hinted handoff alone brings writes to servers that were not reached. */
    HANDOFF {
        @Override
        Set<FaultKind> without() {
            return EnumSet.complementOf(EnumSet.of(FaultKind.DISK_SLOW, FaultKind.LOSS));
        }

        @Override
        boolean compares() {
            return false;
        }
    },

    /** No comparison of replicas, and no hints: look-ups at all replicas repair what differs. */
    REPAIR {
        @Override
        Set<FaultKind> without() {
            return EnumSet.complementOf(EnumSet.of(FaultKind.CRASH, FaultKind.LOSS, FaultKind.DISK_SLOW));
        }

        @Override
        boolean compares() {
            return false;
        }

        @Override
        boolean asksAll() {
            return true;
        }

        @Override
        boolean repairs() {
            return true;
        }

        @Override
        long hintBytesMax() {
            return 0;
        }

        @Override
        long cacheMillis(long drawn) {
            return 0;
        }

        @Override
        long ttlMillis(long drawn) {
            return 1;
        }
    };

    /** Shorter than the rest before the last look-ups. */
    private static final long BRIEF_MILLIS = 2_000;

    /** Longer than any run. */
    private static final long LASTING_MILLIS = 3_600_000;

    /** As many as a run of this kind has servers, so that all that cache a record are told of its change. */
    private static final int CACHING_PEERS_MAX = 64;

    private static final int NEVER = Integer.MAX_VALUE;

    /** Returns the kinds of faults that it does not have. */
    Set<FaultKind> without() {
        return EnumSet.noneOf(FaultKind.class);
    }

    /** Returns whether floods of requests come besides those of the clients. */
    boolean floods() {
        return false;
    }

    /** Returns whether each look-up asks all replicas. */
    boolean asksAll() {
        return false;
    }

    /** Returns whether replicas compare their records, other than when they start. */
    boolean compares() {
        return true;
    }

    /** Returns whether nothing but a killed process stands between a write and all servers. */
    boolean fresh() {
        return false;
    }

    /** Returns whether replicas need to agree only after look-ups. */
    boolean repairs() {
        return false;
    }

    int relaysMax() {
        return 64;
    }

    int writesInFlightMax() {
        return 64;
    }

    int bindingsMax() {
        return 1000;
    }

    int cacheBytesMax() {
        return 1 << 16;
    }

    long hintBytesMax() {
        return 1 << 18;
    }

    /** Returns how long servers cache what names no TTL. */
    long cacheMillis(long drawn) {
        return drawn;
    }

    /** Returns the TTL that a client gives. */
    long ttlMillis(long drawn) {
        return drawn;
    }

    int compareMillis(int drawn) {
        return compares() ? drawn : NEVER;
    }

    PeerBounds bounds() {
        return PeerBounds.defaults();
    }
}
