package io.guidepost.handle.message;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The operations (RFC 3652 section 2.2.2.1), one row each: number, required rights, and the layouts of both bodies. */
public enum HandleOperation {
    /** Returns the values of a handle. */
    RESOLVE(1, Needs.NOTHING, Shape.RESOLVE, Shape.VALUES),
    /** Returns the description of the server's site. */
    GET_SITE(2, Needs.NOTHING, Shape.HANDLE, Shape.SITE),
    /** Creates a handle. */
    CREATE(100, Needs.RIGHTS, Shape.VALUES, Shape.HANDLE),
    /** Deletes a handle. */
    DELETE(101, Needs.RIGHTS, Shape.HANDLE, Shape.EMPTY),
    /** Adds values. */
    ADD_VALUES(102, Needs.RIGHTS, Shape.VALUES, Shape.EMPTY),
    /** Removes values. */
    REMOVE_VALUES(103, Needs.RIGHTS, Shape.INDEXES, Shape.EMPTY),
    /** Changes values. */
    MODIFY_VALUES(104, Needs.RIGHTS, Shape.VALUES, Shape.EMPTY),
    /** Lists the handles of a prefix. */
    LIST_HANDLES(105, Needs.RIGHTS, Shape.HANDLE, Shape.HANDLES),
    /** Answers a challenge; the response is that to the challenged request. */
    ANSWER_CHALLENGE(200, Needs.NOTHING, Shape.ANSWER, Shape.EMPTY),
    /** Asks the server that keeps a secret key whether a response to a challenge is right. */
    VERIFY_ANSWER(201, Needs.NOTHING, Shape.VERIFY, Shape.VERIFIED),
    /** Makes the server responsible for a prefix. */
    HOME_PREFIX(300, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY),
    /** Ends the responsibility for a prefix. */
    UNHOME_PREFIX(301, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY),
    /** Lists the prefixes that the server is responsible for. */
    LIST_PREFIXES(302, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.HANDLES),
    /** Begins a session. */
    SET_UP_SESSION(400, Needs.NOTHING, Shape.SETUP, Shape.SETUP_REPLY),
    /** Ends a session. */
    END_SESSION(401, Needs.NOTHING, Shape.HANDLE, Shape.EMPTY),
    /** Sends the session's key, encrypted with the server's. */
    EXCHANGE_KEY(402, Needs.NOTHING, Shape.KEY, Shape.EMPTY),
    /** Asks for the next transaction's number; obsolete, refused by all servers. */
    NEXT_TRANSACTION(1000, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY),
    /** Asks for the transactions after a position. */
    GET_TRANSACTIONS(1001, Needs.REPLICATION, Shape.TRANSACTIONS, Shape.FOLLOWING),
    /** Asks for all records. */
    DUMP_HANDLES(1002, Needs.REPLICATION, Shape.DUMP, Shape.EMPTY),
    /** Asks for a backup. */
    CHECKPOINT(1003, Needs.SERVER_ADMIN, Shape.HANDLE, Shape.EMPTY);

    /** Who may request an operation. */
    public enum Needs {
        /** Any client. */
        NOTHING,
        /** A client with the right over the handle or prefix. */
        RIGHTS,
        /** An administrator of the server. */
        SERVER_ADMIN,
        /** A mirror. */
        REPLICATION
    }

    /** The layouts of bodies, see {@link MessageBody}. */
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

    private static final Map<Integer, HandleOperation> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toMap(HandleOperation::number, each -> each));

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

    /** Returns its number on the wire. */
    public int number() {
        return number;
    }

    /** Returns who may request it. */
    public Needs needs() {
        return needs;
    }

    /** Returns whether interfaces for resolution alone refuse it. */
    public boolean isAdmin() {
        return needs != Needs.NOTHING;
    }

    Shape request() {
        return request;
    }

    /** Returns the layout of its response, on success. */
    Shape reply() {
        return reply;
    }

    /** Returns the operation with a number; empty if there is none. */
    public static Optional<HandleOperation> of(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }
}
