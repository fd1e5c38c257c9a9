/** Connections of the Handle service: the native protocol over TCP and TLS, and its messages over HTTP. */
package io.guidepost.server.handle.connection;
