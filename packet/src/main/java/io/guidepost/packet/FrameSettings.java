package io.guidepost.packet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a port of frames; each back end documents which it uses.
 *
 * @param device what to open: an interface, a file, a device of DPDK with its arguments
 * @param queues pairs of queues, one for each worker, 1 to 256; {@link #ALL_QUEUES} takes all that the device has
 * @param burstMax frames in a burst, 1 to 1024
 * @param frames frames of packet memory for all queues; 0 lets the back end choose
 * @param frameBytes bytes of each, headroom included: 2,048, 4,096, ... 65,536
 * @param promiscuous whether it receives frames for other Ethernet addresses too
 * @param pool packet memory to share, so that frames pass between ports without a copy
 * @param options options of the back end by name: {@code mode=native}
 */
public record FrameSettings(
        String device,
        int queues,
        int burstMax,
        int frames,
        int frameBytes,
        boolean promiscuous,
        @Nullable FramePool pool,
        Map<String, String> options) {
    /** As many queues as the device spreads frames over: no frame passes by the port. Where the port itself spreads them it is one. */
    public static final int ALL_QUEUES = 0;

    /** The smallest size of a frame of packet memory, which is the default. */
    public static final int FRAME_BYTES_MIN = 2048;

    /** The largest size of a frame of packet memory. */
    public static final int FRAME_BYTES_MAX = 1 << 16;

    /** Headroom of the frames of pools that back ends make: VLAN tags and a tunnel's headers fit. */
    public static final int HEADROOM_BYTES = 256;

    /** Checks ranges. */
    public FrameSettings {
        PacketLimits.check("queues", queues, ALL_QUEUES, PacketLimits.QUEUES_MAX);
        PacketLimits.check("burst", burstMax, 1, PacketLimits.BURST_MAX);
        PacketLimits.check("frames", frames, 0, 1 << 22);
        PacketLimits.check("frame-bytes", frameBytes, FRAME_BYTES_MIN, FRAME_BYTES_MAX);
        if (Integer.bitCount(frameBytes) != 1) {
            throw new IllegalArgumentException("frame-bytes is " + frameBytes + "; it must be a power of two");
        }
        // Ordered: devices may depend on it.
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Returns all queues, bursts of 64, and defaults for the rest. */
    public static FrameSettings of(String device) {
        return new FrameSettings(device, ALL_QUEUES, 64, 0, FRAME_BYTES_MIN, true, null, Map.of());
    }

    /** Returns the number of queues; 1 if all are taken of a device that spreads nothing by itself. */
    @Override
    public int queues() {
        return Math.max(1, queues);
    }

    /** Returns whether all queues of the device are to be taken, however many it has. */
    public boolean isAllQueues() {
        return queues == ALL_QUEUES;
    }

    /** Returns the same with another number of queues. */
    public FrameSettings withQueues(int number) {
        return new FrameSettings(device, number, burstMax, frames, frameBytes, promiscuous, pool, options);
    }

    /** Returns the same with bursts of another size. */
    public FrameSettings withBurstMax(int number) {
        return new FrameSettings(device, queues, number, frames, frameBytes, promiscuous, pool, options);
    }

    /** Returns the same with another size of its own packet memory. */
    public FrameSettings withFrames(int number, int bytes) {
        return new FrameSettings(device, queues, burstMax, number, bytes, promiscuous, pool, options);
    }

    /** Returns the same with or without promiscuous mode. */
    public FrameSettings withPromiscuous(boolean on) {
        return new FrameSettings(device, queues, burstMax, frames, frameBytes, on, pool, options);
    }

    /** Returns the same with shared packet memory. */
    public FrameSettings withPool(FramePool shared) {
        return new FrameSettings(
                device, queues, burstMax, shared.frames(), shared.frameBytes(), promiscuous, shared, options);
    }

    /** Returns the same with options of the back end. */
    public FrameSettings withOptions(Map<String, String> own) {
        return new FrameSettings(device, queues, burstMax, frames, frameBytes, promiscuous, pool, own);
    }

    /** Returns the shared pool, or a new one with the set number of frames or the back end's default. */
    public FramePool poolOr(int framesStandard) {
        return pool != null ? pool : new FramePool(frames == 0 ? framesStandard : frames, frameBytes, HEADROOM_BYTES);
    }
}
