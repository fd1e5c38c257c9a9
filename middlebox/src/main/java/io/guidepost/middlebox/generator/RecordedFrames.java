package io.guidepost.middlebox.generator;

import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.pcap.PcapPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Frames of a capture file, kept in memory for repeated sending. */
public final class RecordedFrames {
    /** Bound on frames: a mapping each, and the kernel allows a process 65,530 of them. */
    private static final int FRAMES_MAX = 16_384;

    private final List<FrameTemplate> templates = new ArrayList<>();

    private RecordedFrames() {}

    /**
     * Reads a file, up to its first 16,384 frames.
     *
     * @throws IOException if it cannot be read, or there is no frame in it
     */
    public static RecordedFrames read(Path file) throws IOException {
        RecordedFrames recording = new RecordedFrames();
        try (Port port = PcapPort.open(FrameSettings.of(file.toString()).withFrames(1_024, 1 << 16))) {
            RxQueue rx = port.rx(0);
            Burst in = rx.burst();
            while (!rx.isExhausted() && recording.templates.size() < FRAMES_MAX) {
                int received = rx.receive(in);
                for (int i = 0; i < received; i++) {
                    recording.templates.add(new FrameTemplate(in.offset(i), in.length(i)));
                }
            }
        }
        if (recording.templates.isEmpty()) {
            throw new IOException(file + ": there are no frames in it");
        }
        return recording;
    }

    List<FrameTemplate> templates() {
        return templates;
    }
}
