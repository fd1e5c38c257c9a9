package io.guidepost.server.takeover;

import io.guidepost.packet.handover.InheritedSockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What two processes say to each other when one takes over from the other; each line is a message of the socket.
 *
 * <pre>
 *  new: take-over 1 TOKEN          old: sockets KIND ADDRESS PORT ...   with their descriptors, in one or more messages
 *                                       all
 *  new: prepared                   old: held; its store is closed, and what arrives waits in the kernel
 *                                       go
 *  new: opened                     old: serve
 *                                       connection ADDRESS PORT, and what was received of it, with its descriptor, for each
 *                                       end
 *  new: serving                    old ends
 *  either, instead: stop REASON
 * </pre>
 *
 * <p>Until {@code serve} the old process can go on as before, and does so if the new one ends or takes too long. If the old one is
 * killed, the new one goes on by itself: who has the lock of the store is who serves.
 */
final class Takeover {
    /** In the folder of the store, as who may have the store may take over: mode 0600. */
    private static final String FILE = "guidepost-store.socket";

    static final String HELLO = "take-over 1";
    static final String SOCKETS = "sockets";
    static final String ALL = "all";
    static final String PREPARED = "prepared";
    static final String GO = "go";
    static final String OPENED = "opened";
    static final String SERVE = "serve";
    static final String CONNECTION = "connection";
    static final String END = "end";
    static final String SERVING = "serving";
    static final String STOP = "stop";

    /** For what either does at once. */
    static final Duration SOON = Duration.ofSeconds(10);

    /** For the new process to open the store, while no process answers: a log that is replayed was settled before. */
    static final Duration OPENING = Duration.ofSeconds(10);

    /** For what has to be finished in the old process before it holds. */
    static final Duration FINISHING = Duration.ofMillis(250);

    private Takeover() {}

    static Path file(Path storeFolder) {
        return storeFolder.resolve(FILE);
    }

    /** A socket as text: kind, address, port. */
    record Place(InheritedSockets.Kind kind, InetSocketAddress address) {
        static Place parse(String text) {
            String[] words = text.split(" ", -1);
            return new Place(InheritedSockets.Kind.valueOf(words[0]), Takeover.address(words[1], words[2]));
        }

        @Override
        public String toString() {
            return kind + " " + text(address);
        }
    }

    static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + " " + address.getPort();
    }

    static InetSocketAddress address(String address, String port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), Integer.parseInt(port));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address + " is no address", e);
        }
    }
}
