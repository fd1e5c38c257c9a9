package io.guidepost.scaffold.flow;

/** Whether a program of this host listens. Asked once for each end of a connection: it may ask the kernel. */
@FunctionalInterface
public interface ListenerCheck {
    /**
     * Returns whether a socket listens at a port, or is bound to it.
     *
     * @param protocol number of TCP or UDP
     */
    boolean listens(int protocol, int port);
}
