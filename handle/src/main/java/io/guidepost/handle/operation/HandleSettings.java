package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.SiteRecord;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the Handle door; in parentheses their names at existing servers.
 *
 * @param site of the server
 * @param serverId its number in the site
 * @param keys that it signs with, RSA or DSA
 * @param administrators of the server when it starts; a reload may give others
 * @param serverAdminFullAccess whether those of the server have every right over every handle ({@code server_admin_full_access})
 * @param autoHomed the prefix handles that are homed at every start ({@code auto_homed_prefixes})
 * @param caseSensitive whether suffixes are case-sensitive ({@code case_sensitive})
 * @param prefixAdmins whether administrators of a prefix administer its handles too ({@code allow_na_admins})
 * @param listing whether clients may list handles ({@code allow_list_hdls})
 * @param recursion whether the server resolves recursively for clients that want it ({@code allow_recursion})
 * @param weakCryptography whether MD5, DES and short groups are accepted
 * @param readOnly whether the server is read-only, as a mirror is
 */
public record HandleSettings(
        SiteRecord site,
        int serverId,
        KeyPair keys,
        ServerAdministrators administrators,
        boolean serverAdminFullAccess,
        List<Handle> autoHomed,
        boolean caseSensitive,
        boolean prefixAdmins,
        boolean listing,
        boolean recursion,
        boolean weakCryptography,
        boolean readOnly) {
    /** The timeout of a challenge ({@code max_auth_time}): a client signs it at once. */
    public static final Duration CHALLENGE_LIFE = Duration.ofSeconds(60);

    /** The longest life of a session ({@code max_session_time}). */
    public static final Duration SESSION_LIFE_MAX = Duration.ofHours(24);

    /** Copies the list. */
    public HandleSettings {
        autoHomed = List.copyOf(autoHomed);
    }

    /** Returns whether the site assigns a handle to this server. */
    public boolean isResponsible(Handle handle) {
        return site.servers().size() < 2 || site.servers().get(site.serverOf(handle)).id() == serverId;
    }
}
