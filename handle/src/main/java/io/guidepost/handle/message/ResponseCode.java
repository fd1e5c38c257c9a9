package io.guidepost.handle.message;

import java.util.Optional;

/** How a request went (RFC 3652 section 2.2.2.2), one row each. */
public enum ResponseCode {
    /** It was done. */
    SUCCESS(1, "done"),
    /** Something went wrong that has no code of its own. */
    ERROR(2, "error"),
    /** The server has too much to do. */
    BUSY(3, "the server is too busy"),
    /** The request is no message of the protocol. */
    PROTOCOL_ERROR(4, "not a message of the protocol"),
    /** The server does not do that. */
    OPERATION_NOT_SUPPORTED(5, "the server does not support this operation"),
    /** The request went through too many servers. */
    RECURSION_LIMIT(6, "the request went through too many servers"),
    /** The server takes no changes now. */
    READ_ONLY(7, "the server takes no changes now"),
    /** There is no such handle. */
    HANDLE_NOT_FOUND(100, "no such handle"),
    /** There is such a handle. */
    HANDLE_EXISTS(101, "the handle exists"),
    /** That is no handle. */
    INVALID_HANDLE(102, "not a handle"),
    /** The record has none of the values. */
    VALUES_NOT_FOUND(200, "the record has no such values"),
    /** The record has the value. */
    VALUE_EXISTS(201, "the record has a value of this index"),
    /** That is no value. */
    INVALID_VALUE(202, "not a value"),
    /** The client's description of the site is old. */
    STALE_SITE(300, "the description of the site is out of date"),
    /** Another server is responsible. */
    NOT_RESPONSIBLE(301, "this server is not responsible for the handle"),
    /** Another service is to be asked. */
    SERVICE_REFERRAL(302, "ask another service"),
    /** The service of the derived prefix is to be asked. */
    PREFIX_REFERRAL(303, "ask the service of the prefix"),
    /** The client is no administrator of it. */
    NOT_ADMIN(400, "not an administrator"),
    /** The client may not do that. */
    NOT_PERMITTED(401, "not permitted"),
    /** The client is to prove who they are. */
    CHALLENGE(402, "who are you?"),
    /** The proof is wrong. */
    AUTHENTICATION_FAILED(403, "authentication failed"),
    /** The credential is of no known kind, or missing. */
    BAD_CREDENTIAL(404, "not a credential"),
    /** The challenge is unknown, or too old. */
    CHALLENGE_TIMED_OUT(405, "the challenge is unknown or timed out"),
    /** The server cannot find out whether the proof is right. */
    CANNOT_AUTHENTICATE(406, "cannot authenticate"),
    /** The session is unknown, or too old. */
    SESSION_TIMED_OUT(500, "the session is unknown or timed out"),
    /** No session could be made. */
    SESSION_FAILED(501, "no session could be made"),
    /** The session has no key, or the MAC is wrong. */
    BAD_SESSION_KEY(502, "the session has no key, or the MAC is wrong"),
    /** The exchange needs a key for RSA. */
    RSA_KEY_REQUIRED(503, "the key exchange needs an RSA key"),
    /** The session setup makes no sense. */
    BAD_SETUP(504, "not a session setup"),
    /** The session's counter was used before. */
    DUPLICATE_MESSAGE(505, "the message was received before");

    private final int number;
    private final String text;

    ResponseCode(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Its number on the wire. */
    public int number() {
        return number;
    }

    /** What it means, for people. */
    public String text() {
        return text;
    }

    /** The code of a number; empty if it is none. */
    public static Optional<ResponseCode> of(int number) {
        for (ResponseCode each : values()) {
            if (each.number == number) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** The code that stands for this one in answers of a version: before 2.5 there were fewer. */
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
