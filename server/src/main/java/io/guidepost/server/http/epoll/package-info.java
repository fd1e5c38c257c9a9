/**
 * Netty channels over edge-triggered epoll of the Linux kernel: one call receives a request, one sends what is to
 * leave.
 */
package io.guidepost.server.http.epoll;
