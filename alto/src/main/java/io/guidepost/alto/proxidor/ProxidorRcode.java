package io.guidepost.alto.proxidor;

/**
 * Response codes. Version 0.2 defines 0 alone; the others are an extension, modelled on DNS (RFC 1035 section 4.1.1).
 */
public enum ProxidorRcode {
    /** The list is ranked. */
    NO_ERROR("ranked"),
    /** The request is malformed. */
    FORMAT("the server found the request malformed"),
    /** No network is loaded. */
    SERVER_FAILURE("the server has no network loaded"),
    /** The attachment of the source is unknown. */
    UNKNOWN_SOURCE("the server does not know where the source is attached to its network"),
    /** An unsupported version, service code, category, opcode or list type. */
    NOT_IMPLEMENTED("the server does not support the request"),
    /** The server refuses by policy; this server never sends it. */
    REFUSED("the server refuses to answer");

    private static final ProxidorRcode[] ALL = values();

    private final String text;

    ProxidorRcode(String text) {
        this.text = text;
    }

    /** Returns a text for people, without a full stop. */
    public String text() {
        return text;
    }

    /** Returns the code on the wire. */
    @SuppressWarnings("EnumOrdinal") // The constants stand in the order of their codes, which a test checks.
    public int code() {
        return ordinal();
    }

    /** Returns the meaning of a code; undefined ones mean refused. */
    static ProxidorRcode of(int code) {
        return code < ALL.length ? ALL[code] : REFUSED;
    }
}
