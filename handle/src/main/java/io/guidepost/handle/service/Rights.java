package io.guidepost.handle.service;

import io.guidepost.handle.AdminRight;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Records;
import java.io.IOException;
import java.util.List;

/** Who may do what: HS_ADMIN, groups, administrators of prefixes and of the server. Thread-safe. */
@SuppressWarnings({"UnusedVariable", "DoNotCallSuggester", "UnusedMethod"}) // Filled by the next commits.
public final class Rights {
    private final HandleSettings settings;
    private final Records records;
    private final RemoteHandles remote;

    /** Looks rights up in records, and in those of other servers where groups live there. */
    public Rights(HandleSettings settings, Records records, RemoteHandles remote) {
        this.settings = settings;
        this.records = records;
        this.remote = remote;
    }

    /** Whether an identity is, or is in a group of, one of some identities. */
    public boolean isOneOf(ValueReference identity, List<ValueReference> wanted) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Whether an identity has a right by the HS_ADMIN values of a record. */
    public boolean has(ValueReference identity, AdminRight right, HandleRecord record) throws IOException {
        throw new UnsupportedOperationException();
    }
}
