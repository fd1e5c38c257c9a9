/**
 * Connections of TCP by calls of the Linux kernel: a thread has one {@link io.guidepost.packet.stream.EpollSet} that it
 * waits at, and {@link io.guidepost.packet.stream.TcpCalls} to accept, receive and send.
 */
@NullMarked
package io.guidepost.packet.stream;

import org.jspecify.annotations.NullMarked;
