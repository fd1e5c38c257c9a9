/**
 * TLS certificates and keys: PEM and PKCS #12 files, and self-signed certificates that a server makes at its first
 * start.
 */
@NullMarked
package io.guidepost.server.http.tls;

import org.jspecify.annotations.NullMarked;
