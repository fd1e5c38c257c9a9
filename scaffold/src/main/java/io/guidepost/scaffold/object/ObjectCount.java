package io.guidepost.scaffold.object;

import io.guidepost.scaffold.wire.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The counters of an object router's door, named as metrics show them: RESPONSES_DONE is
 * {@code guidepost_scaffold_responses_total{outcome="done"}}. Every datagram ends as one response, one forwarded message or one drop.
 */
public enum ObjectCount {
    /** Greetings of hosts that are not known yet. */
    REQUESTS_HELLO,
    /** Joins and leaves. */
    REQUESTS_JOIN,
    /** Instances that are offered, and taken back. */
    REQUESTS_REGISTER,
    /** Questions for the instance that would be chosen, or for the places of a host. */
    REQUESTS_RESOLVE,
    /** First packets of flows. */
    REQUESTS_SYN,
    /** Flows that want another instance. */
    REQUESTS_RSYN,
    /** Answers to such requests that are to go on to the client's host. */
    REQUESTS_RELAY,
    /** Datagrams that are none of these. */
    REQUESTS_OTHER,
    /** First packets, and those of flows that want another instance, that went on to an instance. */
    RESPONSES_FORWARDED,
    /** Answers of instances' hosts that went on to the client's host. */
    RESPONSES_RELAYED,
    /** Responses that say that what was asked is done, or what was asked for. */
    RESPONSES_DONE,
    /** Cookies for those that are not known. */
    RESPONSES_RETRY,
    /** Refusals of hosts that scaffold.hosts does not allow, or of registrations without a right delegation or a join. */
    RESPONSES_NOT_ALLOWED(Reason.NOT_ALLOWED),
    /** Refusals of joins that a later one has overtaken. */
    RESPONSES_OLD_EPOCH(Reason.OLD_EPOCH),
    /** Refusals as no host has offered the object, or its name. */
    RESPONSES_NO_OBJECT(Reason.NO_OBJECT),
    /** Refusals as no instance of the object can be had. */
    RESPONSES_NO_INSTANCE(Reason.NO_INSTANCE),
    /** Refusals as another object has the name. */
    RESPONSES_NAME_TAKEN(Reason.NAME_TAKEN),
    /** Refusals of a second name for an object. */
    RESPONSES_NAMES_MAX(Reason.TOO_MANY),
    /** Refusals as the bound of objects is reached. */
    RESPONSES_OBJECTS_MAX(Reason.TOO_MANY),
    /** Refusals as the bound of instances of one object is reached. */
    RESPONSES_OBJECT_INSTANCES_MAX(Reason.TOO_MANY),
    /** Refusals as the bound of instances on one host is reached. */
    RESPONSES_HOST_INSTANCES_MAX(Reason.TOO_MANY),
    /** Refusals as too many writes are under way. */
    RESPONSES_WRITES_MAX(Reason.TOO_MANY),
    /** Refusals as the store could not write. */
    RESPONSES_NOT_STORED(Reason.NOT_STORED),
    /** Hosts of clients that were told that an instance is gone. */
    NOTICES_SENT,
    /** Datagrams that carry no right control message; guidepost_scaffold_malformed counts the faults. */
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
    /** Greetings of new hosts beyond the bound of hosts. */
    DROPS_HOSTS_MAX,
    /** Messages to go on to a host that is not here, or that are no answers to a request for a flow. */
    DROPS_RELAY,
    /** Messages that fit into no room for a response. */
    DROPS_NO_ROOM,
    /** Bytes received. */
    BYTES_RECEIVED,
    /** Bytes sent. */
    BYTES_SENT;

    private final @Nullable Reason reason;

    ObjectCount() {
        this.reason = null;
    }

    ObjectCount(Reason reason) {
        this.reason = reason;
    }

    /** Returns what a host is told; null where it is no refusal. */
    @Nullable
    Reason reason() {
        return reason;
    }
}
