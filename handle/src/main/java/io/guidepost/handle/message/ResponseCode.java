package io.guidepost.handle.message;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The results of requests (RFC 3652 section 2.2.2.2), one row each. */
public enum ResponseCode {
    /** Success. */
    SUCCESS(1, "done"),
    /** An error without a code of its own. */
    ERROR(2, "error"),
    /** The server is overloaded. */
    BUSY(3, "the server is too busy"),
    /** The request is malformed. */
    PROTOCOL_ERROR(4, "not a message of the protocol"),
    /** The server does not support the operation. */
    OPERATION_NOT_SUPPORTED(5, "the server does not support this operation"),
    /** The request went through too many servers. */
    RECURSION_LIMIT(6, "the request went through too many servers"),
    /** The server is read-only. */
    READ_ONLY(7, "the server takes no changes now"),
    /** There is no such handle. */
    HANDLE_NOT_FOUND(100, "no such handle"),
    /** There is such a handle. */
    HANDLE_EXISTS(101, "the handle exists"),
    /** The handle is invalid. */
    INVALID_HANDLE(102, "not a handle"),
    /** The record has no such values. */
    VALUES_NOT_FOUND(200, "the record has no such values"),
    /** The record has a value with that index. */
    VALUE_EXISTS(201, "the record has a value of this index"),
    /** The value is invalid. */
    INVALID_VALUE(202, "not a value"),
    /** The client's description of the site is out of date. */
    STALE_SITE(300, "the description of the site is out of date"),
    /** Another server is responsible. */
    NOT_RESPONSIBLE(301, "this server is not responsible for the handle"),
    /** A referral to another service. */
    SERVICE_REFERRAL(302, "ask another service"),
    /** A referral to the service of the derived prefix. */
    PREFIX_REFERRAL(303, "ask the service of the prefix"),
    /** The client is not an administrator. */
    NOT_ADMIN(400, "not an administrator"),
    /** The client lacks the right. */
    NOT_PERMITTED(401, "not permitted"),
    /** The client must authenticate. */
    CHALLENGE(402, "who are you?"),
    /** The proof is wrong. */
    AUTHENTICATION_FAILED(403, "authentication failed"),
    /** The credential is of an unknown kind, or missing. */
    BAD_CREDENTIAL(404, "not a credential"),
    /** The challenge is unknown, or timed out. */
    CHALLENGE_TIMED_OUT(405, "the challenge is unknown or timed out"),
    /** The server cannot verify the proof. */
    CANNOT_AUTHENTICATE(406, "cannot authenticate"),
    /** The session is unknown, or timed out. */
    SESSION_TIMED_OUT(500, "the session is unknown or timed out"),
    /** The session setup failed. */
    SESSION_FAILED(501, "no session could be made"),
    /** The session has no key, or the MAC is wrong. */
    BAD_SESSION_KEY(502, "the session has no key, or the MAC is wrong"),
    /** The key exchange needs an RSA key. */
    RSA_KEY_REQUIRED(503, "the key exchange needs an RSA key"),
    /** The session setup is invalid. */
    BAD_SETUP(504, "not a session setup"),
    /** The session's counter was used before: a replay. */
    DUPLICATE_MESSAGE(505, "the message was received before");

    private static final Map<Integer, ResponseCode> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toMap(ResponseCode::number, each -> each));

    private final int number;
    private final String text;

    ResponseCode(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Returns its number on the wire. */
    public int number() {
        return number;
    }

    /** Returns its meaning, for people. */
    public String text() {
        return text;
    }

    /**
     * Returns whether it refuses the request. Not errors are negative answers, what names another server, and the challenge: the
     * server gives these to well-formed requests only, and clients need all of their bytes.
     */
    public boolean isError() {
        return switch (this) {
            case SUCCESS, HANDLE_NOT_FOUND, HANDLE_EXISTS, VALUES_NOT_FOUND -> false;
            case NOT_RESPONSIBLE, SERVICE_REFERRAL, PREFIX_REFERRAL, CHALLENGE -> false;
            default -> true;
        };
    }

    /** Returns the code with a number; empty if there is none. */
    public static Optional<ResponseCode> of(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }

    /** Returns the code that replaces this one in responses of a version: there were fewer before 2.5. */
    public ResponseCode in(ProtocolVersion version) {
        if (version.atLeast(2, 5)) {
            return this;
        }
        return switch (this) {
            case READ_ONLY -> PREFIX_REFERRAL;
            case INVALID_VALUE -> VALUE_EXISTS;
            default -> this;
        };
    }
}
