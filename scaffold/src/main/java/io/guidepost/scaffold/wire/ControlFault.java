package io.guidepost.scaffold.wire;

/** The result of parsing: the first fault, reading from the front. Each is counted. */
public enum ControlFault {
    /** No fault. */
    NONE("nothing is wrong"),
    /** Fewer bytes than a header. */
    HEADER_CUT("a control message has at least the 28 bytes of its header"),
    /** More bytes than a message may have. */
    LONG("a control message has at most 1,232 bytes"),
    /** The first two bits are not set. */
    FORM("the first two bits of a control message are set"),
    /** A type that is none. */
    TYPE("there is no message of this type"),
    /** A version that is not 1. */
    VERSION("the version is not 1"),
    /** Fewer bytes than header and seal. */
    SEAL_CUT("a message of this type ends in a seal of 16 bytes"),
    /** The head of a value is cut. */
    HEAD_CUT("the message ends inside of the type and length of a value"),
    /** A value longer than the bytes left. */
    VALUE_CUT("the message ends before a value does"),
    /** A value of a type that is none, or is not of this message. */
    VALUE_TYPE("the message may not carry a value of this type"),
    /** A value whose type is lower than the one before. */
    ORDER("values stand in ascending order of their types"),
    /** A value that is repeated too often. */
    REPEATED("a value is repeated more often than it may be"),
    /** A value whose length its type does not have. */
    VALUE_LENGTH("a value has a length that its type does not have"),
    /** A value that must be there is not. */
    MISSING("a value that the message must carry is missing");

    private final String text;

    ControlFault(String text) {
        this.text = text;
    }

    /** Returns the fault, as a sentence without a full stop. */
    public String text() {
        return text;
    }
}
