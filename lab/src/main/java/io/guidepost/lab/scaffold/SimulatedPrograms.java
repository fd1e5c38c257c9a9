package io.guidepost.lab.scaffold;

import io.guidepost.lab.events.EventScheduler;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The programs of a simulation: a server of files whose bytes follow from their name, and a client that checks them. */
final class SimulatedPrograms {
    private static final Pattern GET = Pattern.compile("GET /([0-9]+) HTTP/1\\.1\r\n(.*\r\n)?\r\n", Pattern.DOTALL);
    private static final Pattern RANGE = Pattern.compile("Range: bytes=([0-9]+)-\r\n");

    private SimulatedPrograms() {}

    /** Returns a byte of a file. */
    static byte honest(int size, long at) {
        long z = (at + size * 31L) * 0x9e3779b97f4a7c15L;
        return (byte) (z >>> 56);
    }

    static byte[] honestFrom(int file, int from, int size) {
        byte[] body = new byte[size - from];
        for (int i = 0; i < body.length; i++) {
            body[i] = honest(file, from + i);
        }
        return body;
    }

    /**
     * How a server is.
     *
     * @param ranges whether it serves ranges
     * @param tags whether it sends entity tags
     * @param lies whether its files are others than those of the other servers
     * @param name in its heads: these differ
     */
    record Manners(boolean ranges, boolean tags, boolean lies, String name) {}

    /** The server's end of a connection. */
    static final class FileServer implements SimulatedTcp.Program {
        private final Manners manners;
        private final EventScheduler world;
        private final ByteArrayOutputStream in = new ByteArrayOutputStream();
        @SuppressWarnings("NullAway.Init") // Set before the first packet comes.
        private SimulatedTcp tcp;

        FileServer(EventScheduler world, Manners manners) {
            this.world = world;
            this.manners = manners;
        }

        void on(SimulatedTcp connection) {
            tcp = connection;
        }

        SimulatedTcp tcp() {
            return tcp;
        }

        @Override
        public void received(byte[] bytes) {
            in.writeBytes(bytes);
            String text = in.toString(StandardCharsets.ISO_8859_1);
            Matcher get = GET.matcher(text);
            if (get.lookingAt()) {
                in.reset();
                in.writeBytes(text.substring(get.end()).getBytes(StandardCharsets.ISO_8859_1));
                answer(Integer.parseInt(get.group(1)), get.group());
            }
        }

        private void answer(int size, String request) {
            Matcher range = RANGE.matcher(request);
            boolean part = manners.ranges() && range.find();
            int from = part ? Integer.parseInt(range.group(1)) : 0;
            byte[] body = honestFrom(manners.lies() ? size ^ 1 : size, from, size);
            String head = (part ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n")
                    + "Server: " + manners.name() + "\r\nDate: " + world.millis() / 1_000 + "\r\n"
                    + (manners.ranges() ? "Accept-Ranges: bytes\r\n" : "")
                    + (manners.tags() ? "ETag: \"" + (manners.lies() ? size ^ 1 : size) + "\"\r\n" : "")
                    + (part ? "Content-Range: bytes " + from + "-" + (size - 1) + "/" + size + "\r\n" : "")
                    + "Content-Length: " + (size - from) + "\r\n\r\n";
            tcp.write(head.getBytes(StandardCharsets.ISO_8859_1));
            tcp.write(body);
        }

        @Override
        public void ended() {
            tcp.close();
        }

        @Override
        public void reset() {}
    }

    /** The client's end: some requests, one after the other, on one connection. */
    static final class FileClient implements SimulatedTcp.Program {
        /** How it went. */
        enum Outcome {
            /** It is under way. */
            GOING,
            /** All bytes came, and were right. */
            COMPLETE,
            /** The connection was reset. */
            RESET,
            /** The connection ended before the message did. */
            CUT,
            /** Bytes came that no honest server would have sent. */
            WRONG
        }

        private final int size;
        private final EventScheduler world;
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        @SuppressWarnings("NullAway.Init") // Set before the first packet comes.
        private SimulatedTcp tcp;
        private int requests;
        private boolean inBody;
        private long at;

        /** Whether all bytes so far are those of honest servers, or of one that lies: never of both. */
        private boolean isOfOne = true;

        private boolean isOfOther = true;
        private long lastNanos;
        private long pauseMillis;
        private Outcome outcome = Outcome.GOING;

        FileClient(EventScheduler world, int size, int requests) {
            this.world = world;
            this.size = size;
            this.requests = requests;
        }

        void on(SimulatedTcp connection) {
            tcp = connection;
            lastNanos = world.nanos();
            ask();
        }

        private void ask() {
            requests--;
            inBody = false;
            isOfOne = true;
            isOfOther = true;
            at = 0;
            head.reset();
            tcp.write(("GET /" + size + " HTTP/1.1\r\nHost: web\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }

        Outcome outcome() {
            return outcome;
        }

        long delivered() {
            return at;
        }

        /** Returns when bytes came last. */
        long lastNanos() {
            return lastNanos;
        }

        @Override
        public void received(byte[] bytes) {
            lastNanos = world.nanos();
            for (byte each : bytes) {
                if (outcome != Outcome.GOING) {
                    return;
                }
                if (inBody) {
                    isOfOne &= each == honest(size, at);
                    isOfOther &= each == honest(size ^ 1, at);
                    at++;
                    if (!isOfOne && !isOfOther) {
                        outcome = Outcome.WRONG;
                    } else if (at == size) {
                        complete();
                    }
                } else {
                    head.write(each);
                    readHead(each);
                }
            }
        }

        private void readHead(byte last) {
            // Only a line's end can be the head's.
            String text = last == '\n' ? head.toString(StandardCharsets.ISO_8859_1) : "";
            if (text.endsWith("\r\n\r\n")) {
                inBody = true;
                if (!text.startsWith("HTTP/1.1 200 OK\r\n") || !text.contains("Content-Length: " + size + "\r\n")) {
                    outcome = Outcome.WRONG;
                }
            }
        }

        /** Has it wait before each request but the first. */
        void pauseMillis(long millis) {
            pauseMillis = millis;
        }

        private void complete() {
            if (requests > 0 && pauseMillis > 0) {
                world.afterMillis(pauseMillis, this::ask);
            } else if (requests > 0) {
                ask();
            } else {
                outcome = Outcome.COMPLETE;
                tcp.close();
            }
        }

        @Override
        public void ended() {
            if (outcome == Outcome.GOING) {
                outcome = Outcome.CUT;
            }
            tcp.close();
        }

        @Override
        public void reset() {
            if (outcome == Outcome.GOING) {
                outcome = Outcome.RESET;
            }
        }
    }
}
