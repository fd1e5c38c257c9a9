package io.guidepost.handle.rest;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.names.Name;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Answers to the questions that came last, ready to be sent, by the target of the request. One stands as long as the
 * record has the version that it had before the answer was made, and the same prefixes are at home: both are looked up
 * for each use, as that costs less than to be told of changes. Each target has one place, which the next one that falls
 * to it takes: there is nothing to lock and nothing to put in order. Thread-safe.
 */
final class ResponseCache {
    private record Ready(
            String target, Name key, long version, NavigableSet<String> homes, HttpResponse response) {}

    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final AtomicReferenceArray<@Nullable Ready> places = new AtomicReferenceArray<>(HandleLimits.READY_MAX);
    private final SharedCounters<RestCount> counts;

    ResponseCache(HandleRecords records, HomedPrefixes homes, SharedCounters<RestCount> counts) {
        this.counts = counts;
        this.records = records;
        this.homes = homes;
    }

    /** The answer to a target, or null if there is none that still holds; may wait for the disk to know that. */
    @Nullable HttpResponse get(String target) throws IOException {
        Ready ready = standing(target);
        return ready == null ? null : ifOf(records.version(ready.key()), ready);
    }

    /** The same without waiting; null also if it is not known whether it holds. */
    @Nullable HttpResponse getIfPresent(String target) {
        Ready ready = standing(target);
        return ready == null ? null : ifOf(records.versionAtOnce(ready.key()), ready);
    }

    @SuppressWarnings("ReferenceEquality") // The set of prefixes is replaced whenever it changes.
    private @Nullable Ready standing(String target) {
        Ready ready = places.get(place(target));
        return ready != null && ready.target().equals(target) && ready.homes() == homes.all() ? ready : null;
    }

    private @Nullable HttpResponse ifOf(OptionalLong version, Ready ready) {
        if (version.isEmpty() || version.getAsLong() != ready.version()) {
            return null;
        }
        counts.add(RestCount.READY_ANSWERS);
        return ready.response();
    }

    /**
     * Keeps an answer.
     *
     * @param version of the record, from before the answer was made
     * @param seen the prefixes at home, from before the answer was made
     */
    void put(String target, Name key, long version, NavigableSet<String> seen, HttpResponse response) {
        if (response.status() == 200
                && response.body() instanceof HttpResponse.Bytes(byte[] bytes)
                && bytes.length + target.length() <= HandleLimits.READY_BYTES_MAX) {
            places.set(place(target), new Ready(target, key, version, seen, response));
        }
    }

    private static int place(String target) {
        int hash = target.hashCode() * 0x9e3779b9;
        return (hash >>> 16 ^ hash) & HandleLimits.READY_MAX - 1;
    }
}
