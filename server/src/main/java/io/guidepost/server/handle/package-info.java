/**
 * The Handle door's connections: ports of TCP and HTTP on Netty, TLS, who this server is, what is counted and logged. What
 * is asked is answered elsewhere.
 */
@NullMarked
package io.guidepost.server.handle;

import org.jspecify.annotations.NullMarked;
