/**
 * Netty's channels over connections of the Linux kernel, without the selector and the locks of the JDK: what is read is
 * handed on in an array as long as it is, and all that a connection is to send leaves with one call.
 * {@link io.guidepost.server.stream.Transport} chooses between these and those of the JDK.
 */
@NullMarked
package io.guidepost.server.stream;

import org.jspecify.annotations.NullMarked;
