package io.guidepost.bench;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.SiteInterface;
import io.guidepost.handle.client.ClientSettings;
import io.guidepost.handle.client.Endpoint;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.Identity;
import io.guidepost.handle.service.Outcome;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ways of {@link HandleCommand} that go over streams. */
final class HandleTalks {
    private static final int ENVELOPE_BYTES = 20;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LENGTH = 16;

    private HandleTalks() {}

    private static Socket connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(server, TIMEOUT_MILLIS);
        return socket;
    }

    private static byte[] readMessage(DataInputStream in) throws IOException {
        byte[] envelope = new byte[ENVELOPE_BYTES];
        in.readFully(envelope);
        int length = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            length = length << 8 | envelope[LENGTH + i] & 0xff;
        }
        byte[] message = new byte[ENVELOPE_BYTES + length];
        System.arraycopy(envelope, 0, message, 0, ENVELOPE_BYTES);
        in.readFully(message, ENVELOPE_BYTES, length);
        return message;
    }

    /** A connection for every question, read to its end as some clients do: the server closes it. */
    static HandleTalk connections(InetSocketAddress server, HandleQuestions questions) {
        return number -> {
            int id = (int) number & Integer.MAX_VALUE;
            try (Socket socket = connect(server)) {
                socket.getOutputStream().write(questions.message((int) (number % questions.count()), id));
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                byte[] answer = readMessage(in);
                if (in.read() >= 0) {
                    return Answers.Verdict.WRONG;
                }
                return HandleQuestions.verdict(answer, id);
            }
        };
    }

    /** A connection that stays open, with a question at a time. */
    abstract static class Kept implements HandleTalk {
        private final InetSocketAddress server;
        private @Nullable Socket socket;
        private DataInputStream in = new DataInputStream(InputNothing.INSTANCE);

        Kept(InetSocketAddress server) {
            this.server = server;
        }

        /** The bytes that ask. */
        abstract byte[] question(long number);

        /** Reads an answer, all of it. */
        abstract Answers.Verdict read(DataInputStream from, long number) throws IOException;

        @Override
        public Answers.Verdict ask(long number) throws IOException {
            Socket open = socket;
            if (open == null) {
                open = connect(server);
                socket = open;
                in = new DataInputStream(new BufferedInputStream(open.getInputStream()));
            }
            open.getOutputStream().write(question(number));
            return read(in, number);
        }

        @Override
        public void close() {
            try {
                if (socket != null) {
                    socket.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class InputNothing extends java.io.InputStream {
        static final InputNothing INSTANCE = new InputNothing();

        @Override
        public int read() {
            return -1;
        }
    }

    /** Native messages over one connection; the questions say that it is to stay open. */
    static HandleTalk kept(InetSocketAddress server, HandleQuestions questions) {
        return new Kept(server) {
            @Override
            byte[] question(long number) {
                return questions.message((int) (number % questions.count()), (int) number & Integer.MAX_VALUE);
            }

            @Override
            Answers.Verdict read(DataInputStream from, long number) throws IOException {
                return HandleQuestions.verdict(readMessage(from), (int) number & Integer.MAX_VALUE);
            }
        };
    }

    /** {@code GET /api/handles/HANDLE}. */
    static HandleTalk json(InetSocketAddress server, HandleQuestions questions) {
        return new Kept(server) {
            @Override
            byte[] question(long number) {
                return ("GET /api/handles/" + questions.handle((int) (number % questions.count()))
                                + " HTTP/1.1\r\nHost: " + server.getHostString() + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            Answers.Verdict read(DataInputStream from, long number) throws IOException {
                HttpAnswer answer = HttpAnswer.read(from);
                boolean found = new String(answer.body, StandardCharsets.UTF_8).startsWith("{\"responseCode\":1,");
                if (answer.status == 404) {
                    return Answers.Verdict.MISSING;
                }
                return answer.status == 200 && found ? Answers.Verdict.RIGHT : Answers.Verdict.FAILED;
            }
        };
    }

    /** Native messages in POSTs over one connection. */
    static HandleTalk posts(InetSocketAddress server, HandleQuestions questions) {
        return new Kept(server) {
            @Override
            byte[] question(long number) {
                byte[] message =
                        questions.message((int) (number % questions.count()), (int) number & Integer.MAX_VALUE);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                all.writeBytes(("POST / HTTP/1.1\r\nHost: " + server.getHostString()
                                + "\r\nContent-Type: application/x-hdl-message\r\nAccept: application/x-hdl-message"
                                + "\r\nContent-Length: " + message.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                all.writeBytes(message);
                return all.toByteArray();
            }

            @Override
            Answers.Verdict read(DataInputStream from, long number) throws IOException {
                return HandleQuestions.verdict(HttpAnswer.read(from).body, (int) number & Integer.MAX_VALUE);
            }
        };
    }

    /** Creates handles {@code PREFIX0}, {@code PREFIX1}..., over what is there, in a session over TCP with MACs. */
    static HandleTalk creating(InetSocketAddress server, String prefix, long first, Identity who) {
        HandleClient client;
        try {
            client = HandleClient.at(
                    List.of(Endpoint.of(SiteInterface.Transport.TCP, server)),
                    ClientSettings.DEFAULT.withIdentity(who).withSession(true).withDatagrams(false));
        } catch (IOException e) {
            throw new Failure("cannot be a client of " + server, e);
        }
        return new HandleTalk() {
            @Override
            public Answers.Verdict ask(long number) throws IOException {
                Handle handle = Handle.of(prefix + (first + number));
                Outcome outcome = client.create(
                        handle,
                        List.of(HandleValue.of(1, "URL", "http://www.example.org/landing/page/" + number)),
                        true,
                        false);
                return outcome.success() ? Answers.Verdict.RIGHT : Answers.Verdict.FAILED;
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    /** The status and the body of an answer, whose length is said or which comes in chunks. */
    private record HttpAnswer(int status, byte[] body) {
        static HttpAnswer read(DataInputStream in) throws IOException {
            String line = line(in);
            int status = Integer.parseInt(line.substring(9, 12));
            int length = 0;
            boolean chunked = false;
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                String lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(lower.substring(15).strip());
                }
                chunked |= lower.startsWith("transfer-encoding:") && lower.endsWith("chunked");
            }
            return new HttpAnswer(status, chunked ? chunks(in) : in.readNBytes(length));
        }

        private static byte[] chunks(DataInputStream in) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int size = chunk(in); size > 0; size = chunk(in)) {
                body.writeBytes(in.readNBytes(size));
                line(in);
            }
            line(in);
            return body.toByteArray();
        }

        private static int chunk(DataInputStream in) throws IOException {
            return Integer.parseInt(line(in).split(";", 2)[0].strip(), 16);
        }

        private static String line(DataInputStream in) throws IOException {
            StringBuilder line = new StringBuilder(80);
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new EOFException("the server ended the connection");
                }
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }
    }
}
