package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** How the Handle door behaves. Immutable; the {@code with} methods give changed copies. */
public final class HandleSettings implements Cloneable {
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
    private Duration challengeLife = Duration.ofSeconds(60);
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
     * The settings of a server that nobody configured.
     *
     * @param site that it belongs to
     * @param serverId its number in the site
     * @param keys its own, RSA or DSA
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

    /** The site that it belongs to. */
    public SiteRecord site() {
        return site;
    }

    /** Its number in the site. */
    public int serverId() {
        return serverId;
    }

    /** Its own keys, with which it signs. */
    public KeyPair keys() {
        return keys;
    }

    /** Administrators of the server ({@code server_admins}); default nobody. */
    public List<ValueReference> serverAdmins() {
        return serverAdmins;
    }

    /** A copy with other {@link #serverAdmins}. */
    public HandleSettings withServerAdmins(List<ValueReference> value) {
        return with(copy -> copy.serverAdmins = List.copyOf(value));
    }

    /** Whether these have every right over every handle ({@code server_admin_full_access}); default false. */
    public boolean serverAdminFullAccess() {
        return serverAdminFullAccess;
    }

    /** A copy with another {@link #serverAdminFullAccess}. */
    public HandleSettings withServerAdminFullAccess(boolean value) {
        return with(copy -> copy.serverAdminFullAccess = value);
    }

    /** Prefix handles that are taken as at home at every start ({@code auto_homed_prefixes}); default none. */
    public List<Handle> autoHomed() {
        return autoHomed;
    }

    /** A copy with other {@link #autoHomed} ones. */
    public HandleSettings withAutoHomed(List<Handle> value) {
        return with(copy -> copy.autoHomed = List.copyOf(value));
    }

    /** Whether suffixes differ by case ({@code case_sensitive}); default false. */
    public boolean caseSensitive() {
        return caseSensitive;
    }

    /** A copy with another {@link #caseSensitive}. */
    public HandleSettings withCaseSensitive(boolean value) {
        return with(copy -> copy.caseSensitive = value);
    }

    /** Whether administrators of a prefix are those of its handles too ({@code allow_na_admins}); default true. */
    public boolean prefixAdmins() {
        return prefixAdmins;
    }

    /** A copy with another {@link #prefixAdmins}. */
    public HandleSettings withPrefixAdmins(boolean value) {
        return with(copy -> copy.prefixAdmins = value);
    }

    /** Whether handles are listed at all ({@code allow_list_hdls}); default true. */
    public boolean listing() {
        return listing;
    }

    /** A copy with another {@link #listing}. */
    public HandleSettings withListing(boolean value) {
        return with(copy -> copy.listing = value);
    }

    /** Whether other servers are asked for those who want it ({@code allow_recursion}); default false. */
    public boolean recursion() {
        return recursion;
    }

    /** A copy with another {@link #recursion}. */
    public HandleSettings withRecursion(boolean value) {
        return with(copy -> copy.recursion = value);
    }

    /** Whether MD5, DES and short groups are taken; default false. */
    public boolean weakCryptography() {
        return weakCryptography;
    }

    /** A copy with another {@link #weakCryptography}. */
    public HandleSettings withWeakCryptography(boolean value) {
        return with(copy -> copy.weakCryptography = value);
    }

    /** How long a challenge may be answered ({@code max_auth_time}); default 60 s. */
    public Duration challengeLife() {
        return challengeLife;
    }

    /** A copy with another {@link #challengeLife}. */
    public HandleSettings withChallengeLife(Duration value) {
        return with(copy -> copy.challengeLife = value);
    }

    /** The longest life of a session ({@code max_session_time}); default 24 h. */
    public Duration sessionLifeMax() {
        return sessionLifeMax;
    }

    /** A copy with another {@link #sessionLifeMax}. */
    public HandleSettings withSessionLifeMax(Duration value) {
        return with(copy -> copy.sessionLifeMax = value);
    }

    /** Who may read {@code 0.SITE/status} ({@code status_handle_admins}); default nobody. */
    public List<ValueReference> statusAdmins() {
        return statusAdmins;
    }

    /** A copy with other {@link #statusAdmins}. */
    public HandleSettings withStatusAdmins(List<ValueReference> value) {
        return with(copy -> copy.statusAdmins = List.copyOf(value));
    }

    /** Which mirrors may follow this server ({@code replication_admins}); default none. */
    public List<ValueReference> replicationAdmins() {
        return replicationAdmins;
    }

    /** A copy with other {@link #replicationAdmins}. */
    public HandleSettings withReplicationAdmins(List<ValueReference> value) {
        return with(copy -> copy.replicationAdmins = List.copyOf(value));
    }

    /** Whether it takes no changes, as a mirror does; default false. */
    public boolean readOnly() {
        return readOnly;
    }

    /** A copy with another {@link #readOnly}. */
    public HandleSettings withReadOnly(boolean value) {
        return with(copy -> copy.readOnly = value);
    }
}
