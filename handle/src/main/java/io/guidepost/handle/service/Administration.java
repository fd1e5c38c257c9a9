package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Changes of records, for every transport alike; the order of checks is that of existing servers. Each returns when what
 * was changed is durable. A caller that does not say who it is gets {@code CHALLENGE} where rights are needed.
 * Thread-safe.
 */
@SuppressWarnings({"UnusedVariable", "DoNotCallSuggester", "UnusedMethod"}) // Filled by the next commits.
public final class Administration {
    private final HandleSettings settings;
    private final Records records;
    private final Homes homes;
    private final Rights rights;
    private final RandomGenerator random;

    /** Over records; {@code random} makes the suffixes of MINT, and must not be predictable. */
    public Administration(
            HandleSettings settings, Records records, Homes homes, Rights rights, RandomGenerator random) {
        this.settings = settings;
        this.records = records;
        this.homes = homes;
        this.rights = rights;
        this.random = random;
    }

    /** Creates a handle; one that exists is replaced if {@code overwrite}, a random suffix is appended if {@code mint}. */
    public Outcome create(Caller caller, Handle handle, List<HandleValue> values, boolean overwrite, boolean mint)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Deletes a handle. */
    public Outcome delete(Caller caller, Handle handle) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Adds values; those whose index exists are replaced if {@code overwrite}. */
    public Outcome add(Caller caller, Handle handle, List<HandleValue> values, boolean overwrite) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Removes values. */
    public Outcome remove(Caller caller, Handle handle, List<Integer> indexes) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Changes values. */
    public Outcome modify(Caller caller, Handle handle, List<HandleValue> values) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Lists the handles of a prefix in the order of their folded names, as their creators spelled them.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     * @param after where to go on, or null to begin at the first
     * @param visitor called only if the caller may list; false ends the list
     */
    public Outcome list(Caller caller, Handle prefixHandle, @Nullable Handle after, Predicate<Handle> visitor)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Makes this server responsible for a prefix. */
    public Outcome home(Caller caller, Handle prefixHandle) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Ends that. */
    public Outcome unhome(Caller caller, Handle prefixHandle) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Lists the prefixes that this server is responsible for. */
    public Outcome homed(Caller caller, Predicate<Handle> visitor) throws IOException {
        throw new UnsupportedOperationException();
    }
}
