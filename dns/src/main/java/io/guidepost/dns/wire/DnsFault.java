package io.guidepost.dns.wire;

/** Why a message is no request that the door answers with records: the first fault found. Metrics show these names. */
public enum DnsFault {
    /** No fault. */
    OK(DnsWire.NO_ERROR),
    /** Fewer bytes than a header. Dropped, as there is no id to answer with. */
    SHORT_HEADER(DnsWire.FORMAT_ERROR),
    /** The QR bit is set. Dropped, or two servers could answer each other for ever. */
    RESPONSE(DnsWire.FORMAT_ERROR),
    /** An opcode other than QUERY. */
    OPCODE(DnsWire.NOT_IMPLEMENTED),
    /** Not exactly one question. */
    QUESTION_COUNT(DnsWire.FORMAT_ERROR),
    /** Answers in a question, or more authority records than the one of IXFR. */
    RECORD_COUNT(DnsWire.FORMAT_ERROR),
    /** The message ends inside the question. */
    QUESTION_CUT(DnsWire.FORMAT_ERROR),
    /** A pointer, or a label of a kind that there is not, in the question's name: nothing stands before it to point at. */
    QUESTION_POINTER(DnsWire.FORMAT_ERROR),
    /** A question's name of more than 255 bytes. */
    NAME_LONG(DnsWire.FORMAT_ERROR),
    /** The message ends inside a record. */
    RECORD_CUT(DnsWire.FORMAT_ERROR),
    /** IXFR whose authority record is no SOA. */
    IXFR_SOA(DnsWire.FORMAT_ERROR),
    /** A second OPT record. */
    OPT_TWICE(DnsWire.FORMAT_ERROR),
    /** An OPT record whose name is not the root. */
    OPT_NAME(DnsWire.FORMAT_ERROR),
    /** An option that ends behind its record. */
    OPTION_CUT(DnsWire.FORMAT_ERROR),
    /** A client subnet with too few, too many or nonzero spare bits. */
    CLIENT_SUBNET(DnsWire.FORMAT_ERROR),
    /** A cookie of a length that there is not. */
    COOKIE_LENGTH(DnsWire.FORMAT_ERROR),
    /** Bytes behind the last record. */
    TRAILING(DnsWire.FORMAT_ERROR);

    private final int rcode;

    DnsFault(int rcode) {
        this.rcode = rcode;
    }

    public int rcode() {
        return rcode;
    }

    /** Returns whether the server answers it at all. */
    public boolean isAnswered() {
        return this != SHORT_HEADER && this != RESPONSE;
    }
}
