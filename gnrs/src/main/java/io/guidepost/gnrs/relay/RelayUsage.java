package io.guidepost.gnrs.relay;

/**
 * What a relay has in memory because of other servers, and the most that it may be.
 *
 * @param questions that wait for answers
 * @param questionsMax the most of them
 * @param cacheBytes of remembered records
 * @param cacheBytesMax the most of them
 * @param hintBytes of changes kept for servers that do not answer, of all workers of the server together
 * @param hintBytesMax the most of them
 */
public record RelayUsage(
        int questions, int questionsMax, long cacheBytes, long cacheBytesMax, long hintBytes, long hintBytesMax) {
    /** Whether any of it is more than it may be. */
    public boolean tooMuch() {
        return questions > questionsMax || cacheBytes > cacheBytesMax || hintBytes > hintBytesMax;
    }
}
