package io.guidepost.handle.service;

import io.guidepost.handle.message.HandleMessage;

/**
 * A challenge that the client has not answered yet.
 *
 * @param request that was challenged, to be executed after the right response
 * @param received the request's bytes, decrypted; treated as immutable
 * @param nonce of the challenge; treated as immutable
 * @param digest of the request; treated as immutable
 * @param sender that was challenged
 * @param untilMillis its timeout, milliseconds since 1970
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by callers that know the contents.
record PendingChallenge(
        HandleMessage request, byte[] received, byte[] nonce, byte[] digest, long sender, long untilMillis) {
    /** Returns the approximate memory in bytes, objects included. */
    int bytes() {
        return 512 + 3 * received.length;
    }
}
