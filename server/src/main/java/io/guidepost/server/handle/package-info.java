/**
 * The Handle door's connections: ports of TCP and HTTP on Netty, TLS, who this server is, what is counted and logged. What
 * is asked is answered elsewhere.
 */
package io.guidepost.server.handle;
