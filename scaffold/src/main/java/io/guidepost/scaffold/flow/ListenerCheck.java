package io.guidepost.scaffold.flow;

/** Whether a program of this host listens. Asked at the beginning and the end of a connection: it may ask the kernel. */
@FunctionalInterface
public interface ListenerCheck {
    /**
     * Returns whether a socket listens at a port, or is bound to it.
     *
     * @param protocol number of TCP or UDP
     * @param ipv4 whether at this host's IPv4 address, else at its IPv6 address
     */
    boolean listens(int protocol, boolean ipv4, int port);
}
