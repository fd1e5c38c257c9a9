package io.guidepost.server.takeover;

import io.guidepost.packet.handover.DescriptorSocket;
import io.guidepost.packet.handover.InheritedSockets;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.server.http.ParkedConnection;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The process that takes over from another; one thread calls these in order. */
public final class TakeoverClient implements AutoCloseable {
    private static final Logger LOG = System.getLogger(TakeoverClient.class.getName());

    /** For the process before to say that it holds: it ends this one by itself if that takes too long. */
    private static final Duration HOLDING = Duration.ofMinutes(1);

    private final DescriptorSocket socket;
    private boolean alone;

    private TakeoverClient(DescriptorSocket socket) {
        this.socket = socket;
    }

    /**
     * Asks the server that has a store for its sockets, which {@link InheritedSockets} has then.
     *
     * @param token of its admin port; empty if it wants none
     * @throws IOException in one line, if there is no such server, or it refuses
     */
    public static TakeoverClient connect(Path storeFolder, Optional<String> token) throws IOException {
        DescriptorSocket socket;
        try {
            socket = DescriptorSocket.connect(Takeover.file(storeFolder));
        } catch (IOException e) {
            throw new IOException("there is no server to take over from (" + e.getMessage() + "): start without --take-over", e);
        }
        TakeoverClient client = new TakeoverClient(socket);
        try {
            socket.send(Takeover.HELLO + " " + token.orElse(""));
            client.takeSockets();
            return client;
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private void takeSockets() throws IOException {
        DescriptorSocket.Message next = receive(Takeover.SOON);
        while (!next.text().equals(Takeover.ALL)) {
            List<String> lines = next.text().lines().toList();
            for (int i = 1; i < lines.size(); i++) {
                Takeover.Place place = Takeover.Place.parse(lines.get(i));
                InheritedSockets.leave(place.kind(), place.address(), next.descriptors().get(i - 1));
            }
            next = receive(Takeover.SOON);
        }
    }

    private DescriptorSocket.Message receive(Duration patience) throws IOException {
        DescriptorSocket.Message message = socket.receive(patience);
        if (message.text().startsWith(Takeover.STOP)) {
            throw new IOException("the server does not hand over: " + message.text().substring(Takeover.STOP.length()).strip());
        }
        return message;
    }

    /** Says something and waits for an answer; where the other was killed, this goes on without. */
    private void say(String word, String answer, Duration patience) throws IOException {
        try {
            socket.send(word);
            String heard = receive(patience).text();
            if (!heard.equals(answer)) {
                throw new IOException("the server does not hand over: it says '" + heard + "', not " + answer);
            }
        } catch (DescriptorSocket.EndedException e) {
            alone = true;
            LOG.log(Logger.Level.WARNING, "the server before has ended without a word; this one serves now");
        }
    }

    /** All is ready but the store; returns when the other has closed it. */
    public void prepared() throws IOException {
        say(Takeover.PREPARED, Takeover.GO, HOLDING);
    }

    /** Returns whether the other was killed: it may have its lock of the store for a moment longer. */
    public boolean isAlone() {
        return alone;
    }

    /** The store is open; returns when the other will not go on any more. */
    public void opened() throws IOException {
        if (!alone) {
            say(Takeover.OPENED, Takeover.SERVE, Takeover.SOON);
        }
    }

    /** This answers; takes the connections of the other, which ends then. */
    public void serving(Predicate<ParkedConnection> adopt) {
        InheritedSockets.closeRest();
        if (alone) {
            return;
        }
        try {
            for (DescriptorSocket.Message next = receive(Takeover.SOON);
                    next.text().startsWith(Takeover.CONNECTION);
                    next = receive(Takeover.SOON)) {
                if (!adopt.test(connection(next))) {
                    next.descriptors().forEach(SystemCall::close);
                }
            }
            socket.send(Takeover.SERVING);
        } catch (SocketTimeoutException | DescriptorSocket.EndedException e) {
            LOG.log(Logger.Level.WARNING, "connections of the server before are lost: {0}", e.getMessage());
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "the server before may not end: {0}", e.getMessage());
        }
    }

    private static ParkedConnection connection(DescriptorSocket.Message message) {
        byte[] bytes = message.bytes();
        int line = 0;
        while (bytes[line] != '\n') {
            line++;
        }
        String[] words = new String(bytes, 0, line, StandardCharsets.UTF_8).split(" ", -1);
        return new ParkedConnection(
                Takeover.address(words[1], words[2]),
                message.descriptors().getFirst(),
                Arrays.copyOfRange(bytes, line + 1, bytes.length));
    }

    @Override
    public void close() {
        InheritedSockets.closeRest();
        socket.close();
    }
}
