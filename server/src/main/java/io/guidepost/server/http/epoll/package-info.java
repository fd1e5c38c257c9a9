/**
 * Netty channels over edge-triggered epoll of the Linux kernel: one call receives a request, one sends what is to
 * leave.
 */
@NullMarked
package io.guidepost.server.http.epoll;

import org.jspecify.annotations.NullMarked;
