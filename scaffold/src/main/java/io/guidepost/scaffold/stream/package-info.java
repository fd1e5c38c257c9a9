/**
 * Byte streams to names over ordinary TCP, for programs without rights: they outlive their TCP connections, and their instances where
 * the server's program seals a continuation. Does I/O; frames and requests of SOCKS are pure.
 */
package io.guidepost.scaffold.stream;
