package io.guidepost.packet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The sockets of the kernel that share a port's address (SO_REUSEPORT), and which of them gets which datagram. */
public interface ReuseportGroup {
    /** Returns the number of the port's own sockets. */
    int sockets();

    /**
     * Opens second sockets at the same address, one beside each of the port's own, as queues of a port that is closed with
     * this one. Datagrams come to them from when a {@linkplain #filter filter} says so.
     *
     * @param burstMax datagrams in a burst of the second sockets
     * @throws IOException in one line, if the kernel refuses, or the port is closed
     */
    Port openBeside(int burstMax) throws IOException;

    /**
     * Gives the kernel a program in classic BPF that returns the number of the socket that gets a datagram, in place of the
     * one before. Sockets have numbers in the order in which they were bound: first the port's own, then those beside.
     *
     * @param instructions each as a little-endian {@code struct sock_filter}
     * @return what the kernel says if it refuses; empty if it took the program
     */
    Optional<String> filter(long[] instructions);

    /** Returns the numbers of the port's own sockets, for who hands them to another process. */
    List<Integer> descriptors();

    /**
     * Leaves what arrives at the port's own sockets in the kernel, until this is called again with {@code false}; no
     * {@linkplain #filter filter} is set meanwhile. For any thread.
     */
    void hold(boolean held);

    /** Closes the second sockets: their numbers are those of another process's from then on. */
    void closeBeside();
}
