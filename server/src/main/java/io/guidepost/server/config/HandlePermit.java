package io.guidepost.server.config;

/** What a Handle server permits besides resolution and administration by the administrators of a handle. */
public enum HandlePermit {
    /** Administrators of a prefix have rights over its handles too. */
    PREFIX_ADMINS,
    /** Clients with the right list the handles of a prefix. */
    LISTING,
    /** Clients over TLS are asked for a certificate; they need not have one. */
    CLIENT_CERTIFICATES,
    /** Other servers are asked for clients that want recursion. */
    RECURSION,
    /** The server's administrators have every right over every handle. */
    SERVER_ADMIN_FULL_ACCESS,
    /** Changes are taken over UDP too; clients make them over TCP and HTTP. */
    UDP_CHANGES,
    /** MD5, DES and short groups are taken from old clients. */
    WEAK_CRYPTOGRAPHY
}
