package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Settings of the Handle door. Immutable; the {@code with} methods return changed copies. */
public final class HandleSettings implements Cloneable {
    private static final Duration CHALLENGE_LIFE = Duration.ofSeconds(60);

    private final SiteRecord site;
    private final int serverId;
    private final KeyPair keys;
    private List<ValueReference> serverAdmins = List.of();
    private boolean serverAdminFullAccess;
    private List<Handle> autoHomed = List.of();
    private boolean caseSensitive;
    private boolean prefixAdmins = true;
    private boolean listing = true;
    private boolean recursion;
    private boolean weakCryptography;
    private Duration sessionLifeMax = Duration.ofHours(24);
    private List<ValueReference> statusAdmins = List.of();
    private List<ValueReference> replicationAdmins = List.of();
    private boolean readOnly;

    private HandleSettings(SiteRecord site, int serverId, KeyPair keys) {
        this.site = site;
        this.serverId = serverId;
        this.keys = keys;
    }

    /**
     * Returns the default settings of a server.
     *
     * @param site of the server
     * @param serverId its number in the site
     * @param keys of the server, RSA or DSA
     */
    public static HandleSettings of(SiteRecord site, int serverId, KeyPair keys) {
        return new HandleSettings(site, serverId, keys);
    }

    private HandleSettings with(Consumer<HandleSettings> change) {
        try {
            HandleSettings copy = (HandleSettings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the site of the server. */
    public SiteRecord site() {
        return site;
    }

    /** Returns its number in the site. */
    public int serverId() {
        return serverId;
    }

    /** Returns the keys that it signs with. */
    public KeyPair keys() {
        return keys;
    }

    /** Returns the administrators of the server ({@code server_admins}); default none. */
    public List<ValueReference> serverAdmins() {
        return serverAdmins;
    }

    /** Returns a copy with other {@link #serverAdmins}. */
    public HandleSettings withServerAdmins(List<ValueReference> value) {
        return with(copy -> copy.serverAdmins = List.copyOf(value));
    }

    /** Returns whether they have every right over every handle ({@code server_admin_full_access}); default false. */
    public boolean serverAdminFullAccess() {
        return serverAdminFullAccess;
    }

    /** Returns a copy with another {@link #serverAdminFullAccess}. */
    public HandleSettings withServerAdminFullAccess(boolean value) {
        return with(copy -> copy.serverAdminFullAccess = value);
    }

    /** Returns the prefix handles that are homed at every start ({@code auto_homed_prefixes}); default none. */
    public List<Handle> autoHomed() {
        return autoHomed;
    }

    /** Returns a copy with other {@link #autoHomed} ones. */
    public HandleSettings withAutoHomed(List<Handle> value) {
        return with(copy -> copy.autoHomed = List.copyOf(value));
    }

    /** Returns whether suffixes are case-sensitive ({@code case_sensitive}); default false. */
    public boolean caseSensitive() {
        return caseSensitive;
    }

    /** Returns a copy with another {@link #caseSensitive}. */
    public HandleSettings withCaseSensitive(boolean value) {
        return with(copy -> copy.caseSensitive = value);
    }

    /**
     * Returns whether administrators of a prefix administer its handles too ({@code allow_na_admins}); default true.
     */
    public boolean prefixAdmins() {
        return prefixAdmins;
    }

    /** Returns a copy with another {@link #prefixAdmins}. */
    public HandleSettings withPrefixAdmins(boolean value) {
        return with(copy -> copy.prefixAdmins = value);
    }

    /** Returns whether clients may list handles ({@code allow_list_hdls}); default true. */
    public boolean listing() {
        return listing;
    }

    /** Returns a copy with another {@link #listing}. */
    public HandleSettings withListing(boolean value) {
        return with(copy -> copy.listing = value);
    }

    /**
     * Returns whether the server resolves recursively for clients that want it ({@code allow_recursion}); default
     * false.
     */
    public boolean recursion() {
        return recursion;
    }

    /** Returns a copy with another {@link #recursion}. */
    public HandleSettings withRecursion(boolean value) {
        return with(copy -> copy.recursion = value);
    }

    /** Returns whether MD5, DES and short groups are accepted; default false. */
    public boolean weakCryptography() {
        return weakCryptography;
    }

    /** Returns a copy with another {@link #weakCryptography}. */
    public HandleSettings withWeakCryptography(boolean value) {
        return with(copy -> copy.weakCryptography = value);
    }

    /** Returns the timeout of a challenge ({@code max_auth_time}), 60 s: a client signs it at once. */
    public Duration challengeLife() {
        return CHALLENGE_LIFE;
    }

    /** Returns the longest life of a session ({@code max_session_time}); default 24 h. */
    public Duration sessionLifeMax() {
        return sessionLifeMax;
    }

    /** Returns a copy with another {@link #sessionLifeMax}. */
    public HandleSettings withSessionLifeMax(Duration value) {
        return with(copy -> copy.sessionLifeMax = value);
    }

    /** Returns the identities that may read {@code 0.SITE/status} ({@code status_handle_admins}); default none. */
    public List<ValueReference> statusAdmins() {
        return statusAdmins;
    }

    /** Returns a copy with other {@link #statusAdmins}. */
    public HandleSettings withStatusAdmins(List<ValueReference> value) {
        return with(copy -> copy.statusAdmins = List.copyOf(value));
    }

    /** Returns the mirrors that may follow this server ({@code replication_admins}); default none. */
    public List<ValueReference> replicationAdmins() {
        return replicationAdmins;
    }

    /** Returns a copy with other {@link #replicationAdmins}. */
    public HandleSettings withReplicationAdmins(List<ValueReference> value) {
        return with(copy -> copy.replicationAdmins = List.copyOf(value));
    }

    /** Returns whether the server is read-only, as a mirror is; default false. */
    public boolean readOnly() {
        return readOnly;
    }

    /** Returns a copy with another {@link #readOnly}. */
    public HandleSettings withReadOnly(boolean value) {
        return with(copy -> copy.readOnly = value);
    }
}
