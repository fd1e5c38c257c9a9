package io.guidepost.gnrs.relay;

/**
 * The memory that a relay uses for other servers, and its bounds.
 *
 * @param questions requests in flight
 * @param questionsMax the bound of requests in flight
 * @param cacheBytes bytes of cached records
 * @param cacheBytesMax the bound of cached records
 * @param hintBytes bytes of hints, of all workers of the server together
 * @param hintBytesMax the bound of hints
 */
public record RelayUsage(
        int questions, int questionsMax, long cacheBytes, long cacheBytesMax, long hintBytes, long hintBytesMax) {
    /** Returns whether any of it exceeds its bound. */
    public boolean tooMuch() {
        return questions > questionsMax || cacheBytes > cacheBytesMax || hintBytes > hintBytesMax;
    }
}
