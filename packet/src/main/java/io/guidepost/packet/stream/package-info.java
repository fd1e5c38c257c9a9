/**
 * TCP connections by system calls of Linux: each thread has one {@link io.guidepost.packet.stream.EpollSet} to wait on,
 * and {@link io.guidepost.packet.stream.TcpCalls} to accept, receive and send.
 */
package io.guidepost.packet.stream;
