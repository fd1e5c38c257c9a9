package io.guidepost.server.web;

/**
 * What all connections over HTTP share.
 *
 * @param work requests that are answered soon
 * @param lasting those that wait for something to happen
 */
record Room(HostSettings settings, Answers answers, HostCounts counts, Work work, Work lasting) {
    /** Where a request is answered. */
    Work work(boolean lasts) {
        return lasts ? lasting : work;
    }
}
