package io.guidepost.alto.proxidor;

/**
 * What an answer says of its question. Version 0.2 defines 0 alone; the others are ours, like those of DNS (RFC 1035
 * section 4.1.1).
 */
public enum ProxidorRcode {
    /** The list is ranked. */
    NO_ERROR("ranked"),
    /** The question is not built as it should be. */
    FORMAT("the server could not read the question"),
    /** Nothing is loaded that could be ranked by. */
    SERVER_FAILURE("the server has no network loaded"),
    /** Nobody knows where the one who asks, or is asked for, is attached. */
    UNKNOWN_SOURCE("the server does not know where the source is attached to its network"),
    /** A version, service code, category, opcode or type of list that is not served. */
    NOT_IMPLEMENTED("the server does not do what the question asks for"),
    /** The server does not want to answer; ours never says so. */
    REFUSED("the server refuses to answer");

    private static final ProxidorRcode[] ALL = values();

    private final String text;

    ProxidorRcode(String text) {
        this.text = text;
    }

    /** For people, without a full stop. */
    public String text() {
        return text;
    }

    /** The number on the wire. */
    @SuppressWarnings("EnumOrdinal") // The constants stand in the order of their numbers, which a test holds.
    public int code() {
        return ordinal();
    }

    /** The meaning of a number; of those not defined that it was refused. */
    static ProxidorRcode of(int code) {
        return code < ALL.length ? ALL[code] : REFUSED;
    }
}
