package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.security.KeyPair;
import java.util.List;

/** Settings of a server in a test: those of a server without configuration, and what a test wants otherwise. */
public final class TestHandleSettings {
    private SiteRecord site;
    private int serverId;
    private final KeyPair keys;
    private List<ValueReference> serverAdmins = List.of();
    private boolean serverAdminFullAccess;
    private List<Handle> autoHomed = List.of();
    private boolean caseSensitive;
    private boolean prefixAdmins = true;
    private boolean listing = true;
    private boolean recursion;
    private List<ValueReference> statusAdmins = List.of();
    private List<ValueReference> replicationAdmins = List.of();
    private boolean readOnly;

    private TestHandleSettings(SiteRecord site, int serverId, KeyPair keys) {
        this.site = site;
        this.serverId = serverId;
        this.keys = keys;
    }

    public static TestHandleSettings of(SiteRecord site, int serverId, KeyPair keys) {
        return new TestHandleSettings(site, serverId, keys);
    }

    public HandleSettings settings() {
        return new HandleSettings(
                site, serverId, keys, new ServerAdministrators(serverAdmins, statusAdmins, replicationAdmins), serverAdminFullAccess,
                autoHomed, caseSensitive, prefixAdmins, listing, recursion, false, readOnly);
    }

    public TestHandleSettings withSite(SiteRecord other, int id) {
        site = other;
        serverId = id;
        return this;
    }

    public TestHandleSettings withServerAdmins(List<ValueReference> value) {
        serverAdmins = value;
        return this;
    }

    public TestHandleSettings withServerAdminFullAccess(boolean value) {
        serverAdminFullAccess = value;
        return this;
    }

    public TestHandleSettings withAutoHomed(List<Handle> value) {
        autoHomed = value;
        return this;
    }

    public TestHandleSettings withCaseSensitive(boolean value) {
        caseSensitive = value;
        return this;
    }

    public TestHandleSettings withPrefixAdmins(boolean value) {
        prefixAdmins = value;
        return this;
    }

    public TestHandleSettings withListing(boolean value) {
        listing = value;
        return this;
    }

    public TestHandleSettings withRecursion(boolean value) {
        recursion = value;
        return this;
    }

    public TestHandleSettings withStatusAdmins(List<ValueReference> value) {
        statusAdmins = value;
        return this;
    }

    public TestHandleSettings withReplicationAdmins(List<ValueReference> value) {
        replicationAdmins = value;
        return this;
    }

    public TestHandleSettings withReadOnly(boolean value) {
        readOnly = value;
        return this;
    }
}
