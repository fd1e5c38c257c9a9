/**
 * TLS certificates and keys: PEM and PKCS #12 files, and self-signed certificates that a server makes at its first
 * start.
 */
package io.guidepost.server.http.tls;
