package io.guidepost.server.gnrs;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * Numbers that cannot be guessed, drawn many at a time: one draw of {@link SecureRandom} takes a lock and a round of its
 * cipher, whatever it is asked for. For one thread.
 */
final class BufferedSecureRandom implements RandomGenerator {
    private static final int NUMBERS = 128;

    private final SecureRandom random = new SecureRandom();
    private final byte[] bytes = new byte[NUMBERS * Long.BYTES];
    private final ByteBuffer numbers = ByteBuffer.wrap(bytes).limit(0);

    @Override
    public long nextLong() {
        if (!numbers.hasRemaining()) {
            random.nextBytes(bytes);
            numbers.clear();
        }
        return numbers.getLong();
    }
}
