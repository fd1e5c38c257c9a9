package io.guidepost.scaffold.object;

/** The counters of an object router's door. Every datagram ends as one response, one forwarded message or one drop. */
public enum ObjectCount {
    /** Greetings of hosts that are not known yet. */
    REQUESTS_HELLO,
    /** Joins and leaves. */
    REQUESTS_JOIN,
    /** Instances that are offered, and taken back. */
    REQUESTS_REGISTER,
    /** Questions for the instance that would be chosen. */
    REQUESTS_RESOLVE,
    /** First packets of flows. */
    REQUESTS_SYN,
    /** Flows that want another instance. */
    REQUESTS_RSYN,
    /** First packets, and those of flows that want another instance, that went on to an instance. */
    RESPONSES_FORWARDED,
    /** Responses that say that what was asked is done, or what was asked for. */
    RESPONSES_DONE,
    /** Responses that refuse, with a reason. */
    RESPONSES_REFUSED,
    /** Cookies for those that are not known. */
    RESPONSES_RETRY,
    /** Datagrams that carry no control message. */
    DROPS_NOT_CONTROL,
    /** Control messages that are malformed. */
    DROPS_MALFORMED,
    /** Messages of a type that an object router does not take. */
    DROPS_TYPE,
    /** Messages whose seal is wrong, or that were heard before. */
    DROPS_SEAL,
    /** Greetings that are shorter than their answer. */
    DROPS_SHORT,
    /** Greetings with keys that are none. */
    DROPS_KEY,
    /** Greetings beyond the bound of a second, as each costs three products. */
    DROPS_HELLO_RATE,
    /** Messages that fit into no room for a response. */
    DROPS_NO_ROOM
}
