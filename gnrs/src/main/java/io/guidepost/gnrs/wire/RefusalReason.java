package io.guidepost.gnrs.wire;

import org.jspecify.annotations.Nullable;

/** Why a server answered FAILED, as the option {@link GnrsOptionType#REASON} says it. */
public enum RefusalReason {
    /** The client's address is none that may write. */
    NOT_PERMITTED(1, "it takes no writes from this address; its operator names those that may write in gnrs.writers"),
    /** The server does not keep the name, and the request did not permit it to ask others. */
    ELSEWHERE(2, "it does not keep this name, and the request did not permit it to ask the servers that do"),
    /** The name would have more places than the server allows. */
    BINDINGS_MAX(3, "the name would have more places than it allows (gnrs.bindings-max)"),
    /** The record would be larger than the store takes. */
    RECORD_BYTES_MAX(4, "the record would be larger than it takes"),
    /** The name is that of another door, and is changed there. */
    DERIVED(5, "the name is that of a handle, or of a host or object of SCAFFOLD, and is changed through their door"),
    /** The server has more work than it can queue. */
    OVERLOAD(6, "it is overloaded; try again later"),
    /** The source network, or the name, has used its quota of requests in flight. */
    QUOTA(7, "too many requests of this network, or writes of this name, are in flight; try again later"),
    /** The disk or the engine refuses. */
    STORE(8, "its store does not work: its disk is full or failing"),
    /** Too few other servers answered in time. */
    PEERS(9, "too few of the servers that keep the name answered in time"),
    /** The names, or the bytes, of the client's network have reached their quota. */
    WRITER_QUOTA(10, "the names or bytes of your network have reached their quota (gnrs.writer-names-max, gnrs.writer-bytes-max)"),
    /** The text or the attributes that came with a write are not those of its name. */
    NAME_MISMATCH(11, "the text in the write is not that of its GUID, or the attributes are malformed");

    private final int code;
    private final String sentence;

    RefusalReason(int code, String sentence) {
        this.code = code;
        this.sentence = sentence;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns what people are told, with the server as "it". */
    public String sentence() {
        return sentence;
    }

    /** Returns the reason of a number; null for one of a later version. */
    public static @Nullable RefusalReason ofCode(int code) {
        for (RefusalReason each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }
}
