package io.guidepost.packet.pcap;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.RxQueue;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A port over capture files: received frames come from one file, sent frames go to another.
 *
 * <pre>
 *  pcap:in.pcap                              at full speed, once
 *  pcap:in.pcapng,speed=recorded,loop=10     as far apart as they were captured, ten times; loop=0 is for ever
 *  pcap:in.pcap,write=out.pcapng             and writes what is sent
 *  pcap:,write=out.pcapng                    only writes
 * </pre>
 *
 * <p>With several queues each flow arrives on one of them, in order, chosen by {@link
 * io.guidepost.packet.frame.HeaderParser#flowHash} as in a network card's RSS. Each queue reads the whole file and
 * skips other queues' frames, so that queues share nothing. All queues write to one file, whole packets in the order of
 * each queue.
 *
 * <p>At the end of the file queues are {@linkplain RxQueue#isExhausted exhausted}. A truncated or malformed file yields
 * the packets before the fault; {@link #failure} then has FILE:OFFSET and what is wrong there. Frames longer than a
 * piece of packet memory count as {@link io.guidepost.packet.Drop#TRUNCATED}: {@code frame-bytes=65536} takes them.
 */
public final class PcapPort extends QueuePort<PcapRx, PcapTx> {
    private static final int FRAMES = 4_096;

    private final FramePool pool;
    private final @Nullable CaptureWriter writer;

    private PcapPort(FrameSettings settings, @Nullable CaptureReader reader, @Nullable CaptureWriter writer, Replay replay) {
        String written = settings.options().getOrDefault("write", "");
        String name = "pcap:" + (settings.device().isEmpty() ? ",write=" + written : settings.device());
        super(PortLayer.FRAME, name, 0);
        this.writer = writer;
        this.pool = settings.poolOr(FRAMES);
        for (int i = 0; i < settings.queues(); i++) {
            CaptureReader own = reader == null ? null : reader.another();
            rx.add(new PcapRx(pool.view(name + "/rx" + i), settings.burstMax(), own, replay, i, settings.queues()));
            CaptureWriter out = writer == null ? null : i == 0 ? writer : writer.another();
            tx.add(new PcapTx(pool.view(name + "/tx" + i), settings.burstMax(), out));
        }
    }

    /**
     * How a file is replayed.
     *
     * @param recorded whether to keep the recorded intervals between packets
     * @param loops repetitions, 0 for ever
     */
    record Replay(boolean recorded, int loops) {}

    private record Options(String write, String comment, Replay replay) {
        static Options of(String name, FrameSettings settings) throws IOException {
            PortOptions options = new PortOptions(name, settings);
            String write = options.text("write", "");
            Options read = new Options(
                    write,
                    options.text("comment", ""),
                    new Replay(
                            options.choice("speed", "full", List.of("full", "recorded")).equals("recorded"),
                            options.number("loop", 1, 0, Integer.MAX_VALUE)));
            options.refuseOthers();
            if (settings.device().isEmpty() && write.isEmpty()) {
                throw new IOException(name + ": no file; write pcap:FILE to read, or pcap:,write=FILE to write");
            }
            return read;
        }
    }

    /**
     * Checks options of its own, and opens nothing.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    public static void check(FrameSettings settings) throws IOException {
        Options.of("pcap:" + settings.device(), settings);
    }

    /**
     * Opens files.
     *
     * @param settings the device is the file to read, empty for none; options {@code write}, {@code comment} (of the
     *     written file), {@code speed} and {@code loop}
     * @throws IOException in one line: which option is wrong, which file cannot be used, or FILE:OFFSET and what is wrong there
     */
    public static Port open(FrameSettings settings) throws IOException {
        String name = "pcap:" + settings.device();
        Options options = Options.of(name, settings);
        CaptureReader reader = settings.device().isEmpty() ? null : CaptureReader.open(path(settings.device()));
        CaptureWriter writer = options.write.isEmpty() ? null : CaptureWriter.create(path(options.write), name, options.comment);
        return new PcapPort(settings, reader, writer, options.replay);
    }

    private static Path path(String text) throws IOException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IOException(text + ": is no name of a file", e);
        }
    }

    @Override
    public int frameBytesMax() {
        return pool.frameBytes() - pool.headroomBytes();
    }

    @Override
    public Optional<String> failure() {
        for (int i = 0; i < queues(); i++) {
            String failure = rx.get(i).failure() + tx.get(i).failure();
            if (!failure.isEmpty()) {
                return Optional.of(failure);
            }
        }
        return Optional.empty();
    }

    /** Stops reading, flushes, and closes the written file. */
    @Override
    public void close() {
        rx.forEach(PcapRx::close);
        tx.forEach(PcapTx::close);
        if (writer != null) {
            try {
                writer.close();
            } catch (IOException e) {
                tx.getFirst().fail(e);
            }
        }
    }
}
