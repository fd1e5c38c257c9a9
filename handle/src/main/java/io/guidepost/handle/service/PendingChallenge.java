package io.guidepost.handle.service;

import io.guidepost.handle.message.HandleMessage;

/**
 * A challenge that waits for its answer.
 *
 * @param request that was challenged, to be done when the answer is right
 * @param received the request as it came, decrypted; treated as immutable
 * @param nonce of the challenge; treated as immutable
 * @param digest of the request; treated as immutable
 * @param sender who was challenged
 * @param untilMillis when it is too late, milliseconds since 1970
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes that are compared by those who know what they are.
record PendingChallenge(
        HandleMessage request, byte[] received, byte[] nonce, byte[] digest, QuotaNetwork sender, long untilMillis) {
    /** About what it takes in memory, objects included. */
    int bytes() {
        return 512 + 3 * received.length;
    }
}
