package io.guidepost.scaffold.metrics;

import io.guidepost.scaffold.wire.Reason;

/** Why a flow has lost its instance, as metrics have it. */
public enum LossCause {
    /** The instance was drained. */
    DRAINED,
    /** The instance's program has ended, or its host knows the flow no more. */
    ENDED,
    /** The instance ended a message before its end. */
    CUT,
    /** No path led to the instance's host. */
    SILENT,
    /** The object router had no instance, or the instance's host refused the flow. */
    REFUSED,
    /** No instance has answered in time. */
    UNANSWERED,
    /** The client sent, while the next instance was brought up to it, what cannot be repeated. */
    NOT_REPEATABLE;

    /** Returns the cause that a peer tells by a reason. */
    public static LossCause of(Reason reason) {
        return switch (reason) {
            case DRAINED -> DRAINED;
            case DEAD, NO_FLOW, OLD_EPOCH -> ENDED;
            case CUT -> CUT;
            default -> REFUSED;
        };
    }
}
