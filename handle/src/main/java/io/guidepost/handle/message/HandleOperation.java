package io.guidepost.handle.message;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What can be asked (RFC 3652 section 2.2.2.1), one row each: number, who may, and what the bodies hold. */
public enum HandleOperation {
    /** Gives the values of a handle. */
    RESOLVE(1, Needs.NOTHING, Shape.RESOLVE, Shape.VALUES),
    /** Describes the server's site. */
    GET_SITE(2, Needs.NOTHING, Shape.HANDLE, Shape.SITE),
    /** Makes a handle. */
    CREATE(100, Needs.RIGHTS, Shape.VALUES, Shape.HANDLE),
    /** Deletes one. */
    DELETE(101, Needs.RIGHTS, Shape.HANDLE, Shape.EMPTY),
    /** Adds values. */
    ADD_VALUES(102, Needs.RIGHTS, Shape.VALUES, Shape.EMPTY),
    /** Removes values. */
    REMOVE_VALUES(103, Needs.RIGHTS, Shape.INDEXES, Shape.EMPTY),
    /** Changes values. */
    MODIFY_VALUES(104, Needs.RIGHTS, Shape.VALUES, Shape.EMPTY),
    /** Lists the handles of a prefix. */
    LIST_HANDLES(105, Needs.RIGHTS, Shape.HANDLE, Shape.HANDLES),
    /** Answers a challenge; what comes back answers the request that was challenged. */
    ANSWER_CHALLENGE(200, Needs.NOTHING, Shape.ANSWER, Shape.EMPTY),
    /** Asks whether an answer to a challenge is right, for a secret key that is kept here. */
    VERIFY_ANSWER(201, Needs.NOTHING, Shape.VERIFY, Shape.VERIFIED),
    /** Makes the server responsible for a prefix. */
    HOME_PREFIX(300, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY),
    /** Ends that. */
    UNHOME_PREFIX(301, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY),
    /** Lists the prefixes that the server is responsible for. */
    LIST_PREFIXES(302, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.HANDLES),
    /** Begins a session. */
    SET_UP_SESSION(400, Needs.NOTHING, Shape.SETUP, Shape.SETUP_REPLY),
    /** Ends it. */
    END_SESSION(401, Needs.NOTHING, Shape.HANDLE, Shape.EMPTY),
    /** Gives the session's key, encrypted with the server's. */
    EXCHANGE_KEY(402, Needs.NOTHING, Shape.KEY, Shape.EMPTY),
    /** Asks for the next transaction's number; no server answers that any more. */
    NEXT_TRANSACTION(1000, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY),
    /** Asks for the transactions since the last time. */
    GET_TRANSACTIONS(1001, Needs.REPLICATION, Shape.TRANSACTIONS, Shape.FOLLOWING),
    /** Asks for all records. */
    DUMP_HANDLES(1002, Needs.REPLICATION, Shape.DUMP, Shape.EMPTY),
    /** Asks for a backup. */
    CHECKPOINT(1003, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY);

    /** Who may ask for it. */
    public enum Needs {
        /** Anyone. */
        NOTHING,
        /** Whoever has the right over handle or prefix. */
        RIGHTS,
        /** An administrator of the server. */
        SERVER_ADMIN,
        /** A mirror. */
        REPLICATION
    }

    /** What a body holds; the layouts stand at {@link MessageBody}. */
    enum Shape {
        EMPTY,
        HANDLE,
        RESOLVE,
        VALUES,
        INDEXES,
        HANDLES,
        SITE,
        ANSWER,
        VERIFY,
        VERIFIED,
        SETUP,
        SETUP_REPLY,
        KEY,
        TRANSACTIONS,
        FOLLOWING,
        DUMP
    }

    private static final Map<Integer, HandleOperation> BY_NUMBER = new HashMap<>();

    static {
        for (HandleOperation each : values()) {
            BY_NUMBER.put(each.number, each);
        }
    }

    private final int number;
    private final Needs needs;
    private final Shape request;
    private final Shape reply;

    HandleOperation(int number, Needs needs, Shape request, Shape reply) {
        this.number = number;
        this.needs = needs;
        this.request = request;
        this.reply = reply;
    }

    /** Its number on the wire. */
    public int number() {
        return number;
    }

    /** Who may ask for it. */
    public Needs needs() {
        return needs;
    }

    /** Whether it is refused on an interface that is for questions only. */
    public boolean isAdmin() {
        return needs != Needs.NOTHING;
    }

    /** What its request holds. */
    Shape request() {
        return request;
    }

    /** What its answer holds, if it was done. */
    Shape reply() {
        return reply;
    }

    /** The operation of a number; empty if it is none. */
    public static Optional<HandleOperation> of(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }
}
