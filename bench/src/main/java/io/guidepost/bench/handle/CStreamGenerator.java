package io.guidepost.bench.handle;

import io.guidepost.bench.load.CGenerator;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.CProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;

/** A load generator over connections in a closed loop: {@code stream_generator.c}. */
final class CStreamGenerator {
    private static final CProgram PROGRAM = new CProgram("stream_generator.c", List.of("generator.h"));

    /** Of requests that cannot be sent twice: more than any server creates handles. */
    private static final double ASKED_PER_SECOND_MAX = 60_000;

    /** As the program has it. */
    private static final int QUESTIONS_MAX = 1 << 20;

    private final Path folder;
    private final InetSocketAddress server;
    private final long pid;
    private final HandleBenchCommand.Way way;
    private final int clients;
    private final IntFunction<Path> questions;

    /** Returns a generator that creates handles; a run has its own requests, as none can be sent twice. */
    static CStreamGenerator creating(
            Path folder, InetSocketAddress server, long pid, HandleBenchCommand.Way way, CreateRequests requests, int clients) {
        return new CStreamGenerator(folder, server, pid, way, count -> requests.write(folder, count), clients);
    }

    /**
     * Creates a generator of one transport.
     *
     * @param folder for temporary files
     * @param pid of the server, for its processor time; 0 = unknown
     * @param clients with one request each at a time
     */
    CStreamGenerator(
            Path folder,
            InetSocketAddress server,
            long pid,
            HandleBenchCommand.Way way,
            HandleRequests questions,
            int clients) {
        this(folder, server, pid, way, always(write(folder, way, questions, server)), clients);
    }

    private CStreamGenerator(
            Path folder,
            InetSocketAddress server,
            long pid,
            HandleBenchCommand.Way way,
            IntFunction<Path> questions,
            int clients) {
        this.folder = folder;
        this.server = server;
        this.pid = pid;
        this.way = way;
        this.clients = clients;
        this.questions = questions;
    }

    private static IntFunction<Path> always(Path file) {
        return _ -> file;
    }

    private static Path write(
            Path folder, HandleBenchCommand.Way way, HandleRequests questions, InetSocketAddress server) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < questions.count(); i++) {
            byte[] question = question(way, questions, i, server);
            all.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(question.length).array());
            all.writeBytes(question);
        }
        try {
            Path file = Files.createTempFile(folder, "questions", "");
            return Files.write(file, all.toByteArray());
        } catch (IOException e) {
            throw new BenchFailure("cannot write the questions: " + e.getMessage(), e);
        }
    }

    /** Encodes a request over a transport. */
    static byte[] question(HandleBenchCommand.Way way, HandleRequests questions, int number, InetSocketAddress server) {
        byte[] message = questions.message(number);
        String host = " HTTP/1.1\r\nHost: " + server.getHostString() + "\r\n";
        return switch (way) {
            case UDP, TCP, TCP_KEEPALIVE -> message;
            case HTTP_JSON ->
                ("GET /api/handles/" + questions.handle(number) + host + "\r\n").getBytes(StandardCharsets.US_ASCII);
            case HTTP_NATIVE -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                all.writeBytes(("POST /" + host + "Content-Type: application/x-hdl-message\r\n"
                                + "Accept: application/x-hdl-message\r\nContent-Length: " + message.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                all.writeBytes(message);
                yield all.toByteArray();
            }
            case CREATE, CREATE_KEPT -> throw new IllegalArgumentException(way + " has requests of its own");
        };
    }

    /** Runs a warm-up, then the measured window. */
    LoadResult run(long warmNanos, long windowNanos) {
        int most = (int) Math.min(QUESTIONS_MAX, (warmNanos + windowNanos) / 1e9 * ASKED_PER_SECOND_MAX + clients);
        return new CGenerator(PROGRAM, folder, server, pid).run(warmNanos, windowNanos, List.of(
                "--way", way.toString(), "--clients", Integer.toString(clients), "--questions", questions.apply(most).toString()));
    }
}
