package io.guidepost.scaffold.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The control messages, with what each must and may carry. */
public enum MessageType {
    /** A host joins, or says that it is still there: where it is. */
    JOIN(1, List.of(Tlv.HOST, Tlv.LOCATOR, Tlv.LEASE)),
    /** The object router has taken a join; says where it saw the host. */
    JOIN_ACK(2, List.of(Tlv.HOST, Tlv.OBSERVED, Tlv.LEASE), Tlv.REASON),
    /** A host leaves, and all its instances with it. */
    LEAVE(3, List.of(Tlv.HOST)),
    /** An instance is offered, or offered again. */
    REGISTER(
            4,
            List.of(Tlv.HOST, Tlv.OBJECT, Tlv.INSTANCE, Tlv.DELEGATION, Tlv.LEASE, Tlv.SERVICE, Tlv.PORT),
            Tlv.NAME),
    /** The object router has taken, or refused, an instance. */
    REGISTER_ACK(5, List.of(Tlv.HOST, Tlv.OBJECT, Tlv.INSTANCE, Tlv.LEASE), Tlv.REASON),
    /** An instance is offered no more. */
    UNREGISTER(6, List.of(Tlv.HOST, Tlv.OBJECT, Tlv.INSTANCE)),
    /** Which object has a name, which instance a flow to an object would get, or where a host is. */
    RESOLVE(8, List.of(Tlv.HOST), Tlv.OBJECT, Tlv.NAME, Tlv.EXCLUDE, Tlv.PORT, Tlv.PADDING),
    /** The object and the instance that would be chosen now, or the host, and its places. */
    RESOLVED(9, List.of(Tlv.HOST), Tlv.OBJECT, Tlv.INSTANCE, Tlv.LOCATOR, Tlv.REASON),
    /** A host that the receiver does not know yet shows its keys. */
    HELLO(10, List.of(Tlv.HOST_KEY, Tlv.KEY_SHARE, Tlv.NONCE), Tlv.COOKIE, Tlv.PADDING),
    /** The receiver shows its own; both can seal from now on. */
    HELLO_ACK(11, List.of(Tlv.HOST, Tlv.HOST_KEY, Tlv.KEY_SHARE, Tlv.NONCE)),
    /** An instance that was offered is gone, or drained: to those that have flows to it. */
    NOTICE(12, List.of(Tlv.HOST, Tlv.OBJECT, Tlv.INSTANCE, Tlv.REASON)),
    /** The sender uses another key of the hour from now on; sealed with what was agreed before. */
    REKEY(13, List.of(Tlv.HOST, Tlv.HOST_KEY, Tlv.KEY_SHARE)),
    /** The receiver has agreed; sealed with what both agree on now, and sent again until the sender has used it. */
    REKEY_ACK(14, List.of(Tlv.HOST, Tlv.HOST_KEY, Tlv.KEY_SHARE)),
    /**
     * An answer to a request for a flow, sealed for the client's host, goes on to it: what comes from an address that it has not
     * asked may not reach a host behind a NAT.
     */
    RELAY(15, List.of(Tlv.HOST, Tlv.RECEIVER, Tlv.MESSAGE)),
    /** The first packet of a flow, to an object, and from the object router on to an instance. */
    SYN(16, Handshake.ASKS, Handshake.ASKS_TOO),
    /** The instance's host has taken the flow. */
    SYNACK(17, Handshake.ANSWERS, Tlv.PACKET),
    /** The object router shows that it does not know the sender, and keeps nothing: the same again, with a cookie. */
    RETRY(19, List.of(Tlv.NONCE, Tlv.COOKIE)),
    /** The instance cannot serve the flow, or no longer: another may. Keys, where the client has not had an answer yet. */
    FAIL(20, List.of(Tlv.HOST, Tlv.REASON), Tlv.INSTANCE, Tlv.HOST_KEY, Tlv.KEY_SHARE),
    /** A flow that stands asks for its next instance; as {@link #SYN}, with a higher epoch. */
    RSYN(21, Handshake.ASKS, Handshake.ASKS_TOO),
    /** The next instance's host has taken the flow. */
    RSYNACK(22, Handshake.ANSWERS, Tlv.PACKET),
    /** The flow cannot be had, or is over without an end. */
    RESET(25, List.of(Tlv.HOST, Tlv.REASON), Tlv.OBJECT),
    /** Whether a peer is reached by a path. */
    PATH_CHALLENGE(26, List.of(Tlv.HOST, Tlv.NONCE)),
    /** It is. */
    PATH_RESPONSE(27, List.of(Tlv.HOST, Tlv.NONCE)),
    /** The sending host is now elsewhere; the epoch counts its moves. */
    MOVE(28, List.of(Tlv.HOST, Tlv.LOCATOR, Tlv.NONCE)),
    /** The peer sends there from now on. */
    MOVE_ACK(29, List.of(Tlv.HOST, Tlv.NONCE));

    /** What opens a flow, and opens it again, carries the same. */
    private static final class Handshake {
        static final List<Tlv> ASKS = List.of(Tlv.HOST, Tlv.OBJECT, Tlv.LOCATOR, Tlv.HOST_KEY, Tlv.KEY_SHARE, Tlv.PORT);
        static final Tlv[] ASKS_TOO = {Tlv.VIA, Tlv.INSTANCE, Tlv.OBSERVED, Tlv.EXCLUDE, Tlv.PACKET, Tlv.CONTINUATION};
        static final List<Tlv> ANSWERS = List.of(
                Tlv.HOST, Tlv.OBJECT, Tlv.INSTANCE, Tlv.LOCATOR, Tlv.HOST_KEY, Tlv.KEY_SHARE, Tlv.DELEGATION, Tlv.SERVICE);
    }

    private static final MessageType[] BY_NUMBER = new MessageType[64];

    static {
        for (MessageType each : values()) {
            BY_NUMBER[each.number] = each;
        }
    }

    private final int number;
    private final int required;
    private final int allowed;

    MessageType(int number, List<Tlv> required, Tlv... further) {
        this.number = number;
        int all = 0;
        for (Tlv each : required) {
            all |= each.bit();
        }
        this.required = all;
        for (Tlv each : further) {
            all |= each.bit();
        }
        this.allowed = all;
    }

    /** Returns the number on the wire: 1 to 63. */
    public int number() {
        return number;
    }

    /** Returns whether the message ends in a seal: all but those of hosts that have not agreed on one yet. */
    public boolean sealed() {
        return this != HELLO && this != RETRY;
    }

    /** Returns the types that it must carry, a bit each. */
    int required() {
        return required;
    }

    /** Returns the types that it may carry, those that it must included. */
    int allowed() {
        return allowed;
    }

    /** Returns the type of a number on the wire; null if there is none. */
    static @Nullable MessageType of(int number) {
        return BY_NUMBER[number];
    }
}
