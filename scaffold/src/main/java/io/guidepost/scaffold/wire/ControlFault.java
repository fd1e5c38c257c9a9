package io.guidepost.scaffold.wire;

/** The result of parsing: the first fault, reading from the front. Each is counted. */
public enum ControlFault {
    /** Nothing is wrong. */
    NONE,
    /** Fewer bytes than the 28 of a header. */
    HEADER_CUT,
    /** More bytes than the 1,232 of a message. */
    LONG,
    /** The first two bits are not set. */
    FORM,
    /** A type that is none. */
    TYPE,
    /** A version that is not 1. */
    VERSION,
    /** Fewer bytes than header and seal. */
    SEAL_CUT,
    /** The message ends inside of the type and length of a value. */
    HEAD_CUT,
    /** The message ends before a value does. */
    VALUE_CUT,
    /** A value of a type that is none, or that the message may not carry. */
    VALUE_TYPE,
    /** A value whose type is lower than the one before. */
    ORDER,
    /** A value that is repeated more often than it may be. */
    REPEATED,
    /** A value whose length its type does not have. */
    VALUE_LENGTH,
    /** A value that the message must carry is missing. */
    MISSING
}
