package io.guidepost.handle.message;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The operations (RFC 3652 section 2.2.2.1), one row each: number, whether it needs rights, and the layouts of both bodies. */
public enum HandleOperation {
    /** Returns the values of a handle. */
    RESOLVE(1, false, Shape.RESOLVE, Shape.VALUES),
    /** Returns the description of the server's site. */
    GET_SITE(2, false, Shape.HANDLE, Shape.SITE),
    /** Creates a handle. */
    CREATE(100, true, Shape.VALUES, Shape.HANDLE),
    /** Deletes a handle. */
    DELETE(101, true, Shape.HANDLE, Shape.EMPTY),
    /** Adds values. */
    ADD_VALUES(102, true, Shape.VALUES, Shape.EMPTY),
    /** Removes values. */
    REMOVE_VALUES(103, true, Shape.INDEXES, Shape.EMPTY),
    /** Changes values. */
    MODIFY_VALUES(104, true, Shape.VALUES, Shape.EMPTY),
    /** Lists the handles of a prefix. */
    LIST_HANDLES(105, true, Shape.HANDLE, Shape.HANDLES),
    /** Answers a challenge; the response is that to the challenged request. */
    ANSWER_CHALLENGE(200, false, Shape.ANSWER, Shape.EMPTY),
    /** Asks the server that keeps a secret key whether a response to a challenge is right. */
    VERIFY_ANSWER(201, false, Shape.VERIFY, Shape.VERIFIED),
    /** Makes the server responsible for a prefix. */
    HOME_PREFIX(300, true, Shape.HANDLE, Shape.EMPTY),
    /** Ends the responsibility for a prefix. */
    UNHOME_PREFIX(301, true, Shape.HANDLE, Shape.EMPTY),
    /** Lists the prefixes that the server is responsible for. */
    LIST_PREFIXES(302, true, Shape.HANDLE, Shape.HANDLES),
    /** Begins a session. */
    SET_UP_SESSION(400, false, Shape.SETUP, Shape.SETUP_REPLY),
    /** Ends a session. */
    END_SESSION(401, false, Shape.HANDLE, Shape.EMPTY),
    /** Sends the session's key, encrypted with the server's. */
    EXCHANGE_KEY(402, false, Shape.KEY, Shape.EMPTY),
    /** Asks for the next transaction's number; obsolete, refused by all servers. */
    NEXT_TRANSACTION(1000, true, Shape.HANDLE, Shape.EMPTY),
    /** Asks for the transactions after a position. */
    GET_TRANSACTIONS(1001, true, Shape.TRANSACTIONS, Shape.FOLLOWING),
    /** Asks for all records. */
    DUMP_HANDLES(1002, true, Shape.DUMP, Shape.EMPTY),
    /** Asks for a backup. */
    CHECKPOINT(1003, true, Shape.HANDLE, Shape.EMPTY);

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
    private final boolean admin;
    private final Shape request;
    private final Shape reply;

    HandleOperation(int number, boolean admin, Shape request, Shape reply) {
        this.number = number;
        this.admin = admin;
        this.request = request;
        this.reply = reply;
    }

    /** Returns its number on the wire. */
    public int number() {
        return number;
    }

    /** Returns whether interfaces for resolution alone refuse it. */
    public boolean isAdmin() {
        return admin;
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
