package io.guidepost.alto.proxidor;

/** Why a datagram is no valid request: the first fault found. Metrics show these names. */
public enum ProxidorFault {
    /** No fault. */
    OK(ProxidorRcode.NO_ERROR),
    /** Fewer bytes than a header. Dropped, as there is no identification to answer with. */
    SHORT_HEADER(ProxidorRcode.FORMAT),
    /** The QR bit is set. Dropped, or two servers could answer each other for ever. */
    ANSWER(ProxidorRcode.FORMAT),
    /** A version other than 0. */
    VERSION(ProxidorRcode.NOT_IMPLEMENTED),
    /** A service code other than 0. */
    SERVICE_CODE(ProxidorRcode.NOT_IMPLEMENTED),
    /** An opcode other than 0. */
    OPCODE(ProxidorRcode.NOT_IMPLEMENTED),
    /** A service category other than 0. */
    CATEGORY(ProxidorRcode.NOT_IMPLEMENTED),
    /** The datagram ends inside the authentication data. */
    SHORT_AUTHENTICATION(ProxidorRcode.FORMAT),
    /** The datagram ends inside a source. */
    SHORT_SOURCE(ProxidorRcode.FORMAT),
    /** A source whose prefix is longer than its address. */
    SOURCE_LENGTH(ProxidorRcode.FORMAT),
    /** The datagram ends where a list must begin, or inside a list's header. */
    SHORT_LIST(ProxidorRcode.FORMAT),
    /** A list whose size is less than its header and attribute, or more than the bytes left. */
    LIST_SIZE(ProxidorRcode.FORMAT),
    /** An undefined list type. */
    LIST_TYPE(ProxidorRcode.NOT_IMPLEMENTED),
    /** Lists of different types, which have no common response. */
    MIXED_LISTS(ProxidorRcode.FORMAT),
    /** A list that ends inside a candidate. */
    LIST_REMAINDER(ProxidorRcode.FORMAT),
    /** More lists than the bound. */
    TOO_MANY_LISTS(ProxidorRcode.FORMAT),
    /** Fewer than two candidates. */
    TOO_FEW(ProxidorRcode.FORMAT),
    /** More candidates than one packet has room for. */
    TOO_MANY(ProxidorRcode.FORMAT),
    /** A candidate whose prefix is longer than its address. */
    PREFIX_LENGTH(ProxidorRcode.FORMAT),
    /** Bytes after the last list. */
    TRAILING(ProxidorRcode.FORMAT);

    private final ProxidorRcode rcode;

    ProxidorFault(ProxidorRcode rcode) {
        this.rcode = rcode;
    }

    ProxidorRcode rcode() {
        return rcode;
    }

    /** Returns whether the server answers it at all. */
    boolean isAnswered() {
        return this != SHORT_HEADER && this != ANSWER;
    }
}
