package io.guidepost.alto.proxidor;

/** Why a datagram is no question that can be answered: the first fault found. The names are those that metrics show. */
public enum Fault {
    /** There is none. */
    OK(Rcode.NO_ERROR),
    /** Fewer bytes than a header: not answered, as there is no identification to answer with. */
    SHORT_HEADER(Rcode.FORMAT),
    /** It is an answer: not answered, or two servers could answer each other for ever. */
    ANSWER(Rcode.FORMAT),
    /** A version other than 0. */
    VERSION(Rcode.NOT_IMPLEMENTED),
    /** A service code other than 0. */
    SERVICE_CODE(Rcode.NOT_IMPLEMENTED),
    /** An opcode other than 0. */
    OPCODE(Rcode.NOT_IMPLEMENTED),
    /** A service category other than 0. */
    CATEGORY(Rcode.NOT_IMPLEMENTED),
    /** It ends inside the authentication data. */
    SHORT_AUTHENTICATION(Rcode.FORMAT),
    /** It ends inside a source. */
    SHORT_SOURCE(Rcode.FORMAT),
    /** A source whose prefix is longer than its address. */
    SOURCE_LENGTH(Rcode.FORMAT),
    /** It ends where a list must begin, or inside a list's header. */
    SHORT_LIST(Rcode.FORMAT),
    /** A list whose size is less than its header and attribute, or more than the bytes left. */
    LIST_SIZE(Rcode.FORMAT),
    /** A type of list that nobody has defined. */
    LIST_TYPE(Rcode.NOT_IMPLEMENTED),
    /** Lists of different types, which have no common answer. */
    MIXED_LISTS(Rcode.FORMAT),
    /** A list that ends inside a candidate. */
    LIST_REMAINDER(Rcode.FORMAT),
    /** More lists than are taken. */
    TOO_MANY_LISTS(Rcode.FORMAT),
    /** Fewer than two candidates. */
    TOO_FEW(Rcode.FORMAT),
    /** More candidates than one packet has room for. */
    TOO_MANY(Rcode.FORMAT),
    /** A candidate whose prefix is longer than its address. */
    PREFIX_LENGTH(Rcode.FORMAT),
    /** Bytes behind the last list. */
    TRAILING(Rcode.FORMAT);

    private final Rcode rcode;

    Fault(Rcode rcode) {
        this.rcode = rcode;
    }

    /** What it is answered with. */
    Rcode rcode() {
        return rcode;
    }

    /** Whether it is answered at all. */
    boolean isAnswered() {
        return this != SHORT_HEADER && this != ANSWER;
    }
}
