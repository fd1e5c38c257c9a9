package io.guidepost.alto.proxidor;

/** Why a datagram is no question that can be answered: the first fault found. The names are those that metrics show. */
public enum ProxidorFault {
    /** There is none. */
    OK(ProxidorRcode.NO_ERROR),
    /** Fewer bytes than a header: not answered, as there is no identification to answer with. */
    SHORT_HEADER(ProxidorRcode.FORMAT),
    /** It is an answer: not answered, or two servers could answer each other for ever. */
    ANSWER(ProxidorRcode.FORMAT),
    /** A version other than 0. */
    VERSION(ProxidorRcode.NOT_IMPLEMENTED),
    /** A service code other than 0. */
    SERVICE_CODE(ProxidorRcode.NOT_IMPLEMENTED),
    /** An opcode other than 0. */
    OPCODE(ProxidorRcode.NOT_IMPLEMENTED),
    /** A service category other than 0. */
    CATEGORY(ProxidorRcode.NOT_IMPLEMENTED),
    /** It ends inside the authentication data. */
    SHORT_AUTHENTICATION(ProxidorRcode.FORMAT),
    /** It ends inside a source. */
    SHORT_SOURCE(ProxidorRcode.FORMAT),
    /** A source whose prefix is longer than its address. */
    SOURCE_LENGTH(ProxidorRcode.FORMAT),
    /** It ends where a list must begin, or inside a list's header. */
    SHORT_LIST(ProxidorRcode.FORMAT),
    /** A list whose size is less than its header and attribute, or more than the bytes left. */
    LIST_SIZE(ProxidorRcode.FORMAT),
    /** A type of list that nobody has defined. */
    LIST_TYPE(ProxidorRcode.NOT_IMPLEMENTED),
    /** Lists of different types, which have no common answer. */
    MIXED_LISTS(ProxidorRcode.FORMAT),
    /** A list that ends inside a candidate. */
    LIST_REMAINDER(ProxidorRcode.FORMAT),
    /** More lists than are taken. */
    TOO_MANY_LISTS(ProxidorRcode.FORMAT),
    /** Fewer than two candidates. */
    TOO_FEW(ProxidorRcode.FORMAT),
    /** More candidates than one packet has room for. */
    TOO_MANY(ProxidorRcode.FORMAT),
    /** A candidate whose prefix is longer than its address. */
    PREFIX_LENGTH(ProxidorRcode.FORMAT),
    /** Bytes behind the last list. */
    TRAILING(ProxidorRcode.FORMAT);

    private final ProxidorRcode rcode;

    ProxidorFault(ProxidorRcode rcode) {
        this.rcode = rcode;
    }

    /** What it is answered with. */
    ProxidorRcode rcode() {
        return rcode;
    }

    /** Whether it is answered at all. */
    boolean isAnswered() {
        return this != SHORT_HEADER && this != ANSWER;
    }
}
