package io.guidepost.scaffold.wire;

/** Why a flow fails, is refused or is reset. */
public enum Reason {
    /** The instance's program has ended: nothing listens at its port. */
    DEAD(1, "nothing listens at the instance's port any more"),
    /** The instance ended a message before its end. */
    CUT(2, "the instance ended its message too early"),
    /** The instance is to have no more flows. */
    DRAINED(3, "the instance is drained"),
    /** The instance has all the flows that it takes. */
    BUSY(4, "the instance takes no more flows"),
    /** The host knows no such flow: it was restarted, or another instance has the flow. */
    NO_FLOW(5, "the host knows no such flow"),
    /** No instance of the object can be had. */
    NO_INSTANCE(6, "the object has no instance that can be had"),
    /** The object router does not know the object. */
    NO_OBJECT(7, "the object is not known"),
    /** What is asked is not allowed to the host that asks. */
    NOT_ALLOWED(8, "the host may not do that"),
    /** The epoch is older than the flow's. */
    OLD_EPOCH(9, "the epoch is over"),
    /** A bound is reached. */
    TOO_MANY(10, "a bound is reached"),
    /** Another key has the name. */
    NAME_TAKEN(11, "another object has the name"),
    /** The object router's disk refuses to write. */
    NOT_STORED(12, "the object router cannot store it");

    private final int number;
    private final String text;

    Reason(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the reason, as a sentence without a full stop. */
    public String text() {
        return text;
    }

    /** Returns the reason of a number on the wire; {@link #DEAD} for one that is not known, as a newer peer may have more. */
    public static Reason of(int number) {
        return number >= 1 && number <= values().length ? values()[number - 1] : DEAD;
    }
}
