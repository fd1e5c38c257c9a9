package io.guidepost.alto.proxidor;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.RankClient;
import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A client of a Proxidor server over UDP: one packet each way, with retransmission after a time-out. It accepts
 * responses from that server only, with the identification and candidates of the request. One thread at a time.
 */
public final class ProxidorClient implements RankClient {
    /** UDP port of servers. */
    public static final int PORT = 8899;

    private static final int DATAGRAM_BYTES_MAX = 65_535;

    private static final String IGNORED = ", and accepts no other source from this machine (proxidor.trusted)";

    private final InetSocketAddress server;
    private final DatagramSocket socket;
    private final Duration timeout;
    private final int attempts;
    private final RandomGenerator random;
    private final byte[] buffer = new byte[DATAGRAM_BYTES_MAX];
    private long roundTripNanos;
    private long strays;

    private ProxidorClient(
            InetSocketAddress server, DatagramSocket socket, Duration timeout, int attempts, RandomGenerator random) {
        this.server = server;
        this.socket = socket;
        this.timeout = timeout;
        this.attempts = attempts;
        this.random = random;
    }

    /**
     * Opens a client; it sends nothing yet.
     *
     * @param timeout of each attempt, 1 ms or more
     * @param attempts transmissions of a request at most, 1 or more
     * @param random source of identifications, which must not be predictable
     * @throws IOException if no socket can be opened, or the server's address has no route
     */
    public static ProxidorClient open(
            InetSocketAddress server, Duration timeout, int attempts, RandomGenerator random) throws IOException {
        if (timeout.toMillis() < 1 || attempts < 1) {
            throw new IllegalArgumentException("a client needs a time-out of 1 ms or more and one attempt or more");
        }
        DatagramSocket socket = new DatagramSocket();
        try {
            socket.connect(server);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
        return new ProxidorClient(server, socket, timeout, attempts, random);
    }

    @Override
    public Ranked rank(List<Candidate> candidates, Optional<Prefix> source) throws IOException {
        return new LongList(this, source).rank(candidates);
    }

    /**
     * Sends one request.
     *
     * @throws RankRefusedException if the server refuses to rank
     * @throws IOException with a one-line message, if no response comes
     */
    ProxidorRequest.Answer ask(ProxidorRequest question) throws IOException {
        int id = random.nextInt();
        byte[] bytes = question.write(id);
        for (int attempt = 1; attempt <= attempts; attempt++) {
            Optional<ProxidorRequest.Answer> answer = attempt(question, bytes, id);
            if (answer.isPresent()) {
                ProxidorRequest.Answer given = answer.get();
                if (given.code() != ProxidorRcode.NO_ERROR) {
                    throw new RankRefusedException(
                            name() + " does not rank: " + given.code().text() + (given.sourceIgnored() ? IGNORED : ""), given.code());
                }
                return given;
            }
        }
        throw new SocketTimeoutException("no answer from " + name() + " within " + timeout.toMillis() + " ms"
                + (attempts > 1 ? ", asked " + attempts + " times" : "") + ": is a Proxidor server there?");
    }

    private Optional<ProxidorRequest.Answer> attempt(ProxidorRequest question, byte[] bytes, int id) throws IOException {
        try {
            long begun = System.nanoTime();
            socket.send(new DatagramPacket(bytes, bytes.length));
            while (true) {
                long left = timeout.toMillis() - (System.nanoTime() - begun) / 1_000_000;
                if (left <= 0) {
                    return Optional.empty();
                }
                socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                roundTripNanos = System.nanoTime() - begun;
                Optional<ProxidorRequest.Answer> answer = read(question, packet.getLength(), id);
                if (answer.isPresent()) {
                    return answer;
                }
            }
        } catch (PortUnreachableException e) {
            throw new IOException("no server answers at UDP " + name() + ": is the server running, and Proxidor enabled?", e);
        } catch (SocketTimeoutException e) {
            return Optional.empty();
        }
    }

    private Optional<ProxidorRequest.Answer> read(ProxidorRequest question, int length, int id) {
        try {
            return Optional.of(question.read(buffer, length, id));
        } catch (Malformed e) {
            strays++;
            return Optional.empty();
        }
    }

    /** Returns the time from the last transmission to its response. */
    public long roundTripNanos() {
        return roundTripNanos;
    }

    /** Returns the number of received datagrams that were no response to the request. */
    public long strays() {
        return strays;
    }

    private String name() {
        return AddressText.of(server.getAddress()) + " port " + server.getPort();
    }

    @Override
    public void close() {
        socket.close();
    }

    /**
     * Ranks lists of any length. A response has no distances, so a list that is longer than one request is sorted by
     * merging: runs of one request each, then merged in pairs. A request with the heads of both runs orders all
     * candidates up to the end of one head.
     */
    private static final class LongList {
        private final ProxidorClient client;
        private final Optional<Prefix> source;
        private int questions;
        private int ttlSeconds = Integer.MAX_VALUE;
        private boolean sourceIgnored;

        LongList(ProxidorClient client, Optional<Prefix> source) {
            this.client = client;
            this.source = source;
        }

        Ranked rank(List<Candidate> candidates) throws IOException {
            if (candidates.isEmpty()) {
                throw new IllegalArgumentException("there are no candidates to rank");
            }
            int most = ProxidorRequest.typeOf(candidates).most();
            List<List<Candidate>> runs = new ArrayList<>();
            for (int from = 0; from < candidates.size(); from += most) {
                runs.add(ask(candidates.subList(from, Math.min(candidates.size(), from + most))));
            }
            while (runs.size() > 1) {
                List<List<Candidate>> merged = new ArrayList<>();
                for (int i = 0; i < runs.size(); i += 2) {
                    merged.add(i + 1 < runs.size() ? merge(runs.get(i), runs.get(i + 1), most) : runs.get(i));
                }
                runs = merged;
            }
            return new Ranked(runs.getFirst(), ttlSeconds, questions, sourceIgnored);
        }

        private List<Candidate> merge(List<Candidate> one, List<Candidate> other, int most) throws IOException {
            List<Candidate> merged = new ArrayList<>();
            Deque<Candidate> left = new ArrayDeque<>(one);
            Deque<Candidate> right = new ArrayDeque<>(other);
            while (!left.isEmpty() && !right.isEmpty()) {
                int lefts = Math.min(left.size(), Math.max(most / 2, most - right.size()));
                List<Candidate> heads = new ArrayList<>(most);
                move(left, lefts, heads);
                move(right, Math.min(right.size(), most - lefts), heads);
                int[] order = order(heads);
                int sure = sure(order, lefts);
                for (int i = 0; i < sure; i++) {
                    merged.add(heads.get(order[i]));
                }
                for (int i = order.length - 1; i >= sure; i--) {
                    (order[i] < lefts ? left : right).addFirst(heads.get(order[i]));
                }
            }
            merged.addAll(left);
            merged.addAll(right);
            return merged;
        }

        private static void move(Deque<Candidate> from, int count, List<Candidate> to) {
            for (int i = 0; i < count; i++) {
                to.add(from.removeFirst());
            }
        }

        /** Returns how many candidates of an order are final: up to the last one of either head. */
        private static int sure(int[] order, int lefts) {
            int lastLeft = 0;
            int lastRight = 0;
            for (int i = 0; i < order.length; i++) {
                if (order[i] < lefts) {
                    lastLeft = i + 1;
                } else {
                    lastRight = i + 1;
                }
            }
            // If all candidates of a head have become unknown, the next request takes what is left of it.
            return Math.min(lastLeft, lastRight);
        }

        private List<Candidate> ask(List<Candidate> candidates) throws IOException {
            return Arrays.stream(order(candidates)).mapToObj(candidates::get).toList();
        }

        /** Servers rank two or more candidates, so a single one is sent twice. */
        private int[] order(List<Candidate> candidates) throws IOException {
            boolean alone = candidates.size() == 1;
            List<Candidate> asked = alone ? List.of(candidates.getFirst(), candidates.getFirst()) : candidates;
            ProxidorRequest.Answer answer = client.ask(new ProxidorRequest(asked, source));
            questions++;
            ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds());
            sourceIgnored |= answer.sourceIgnored();
            return alone ? Arrays.copyOf(answer.order(), Math.min(1, answer.order().length)) : answer.order();
        }
    }
}
