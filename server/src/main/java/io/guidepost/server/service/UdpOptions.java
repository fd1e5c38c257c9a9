package io.guidepost.server.service;

import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the configuration says of the ports of all services over UDP.
 *
 * @param backEnd how the kernel's sockets are used
 * @param trains whether datagrams of one peer may be handled together by the kernel
 * @param floodSockets whether networks that flood may be received apart
 * @param framePorts names of the ports of frames, each with a host on it
 * @param flushNanos how long the first answer of a burst may wait on a port of frames for others
 * @param frames options of each port of frames whose name says nothing else
 * @param dpdk those of DPDK besides
 */
public record UdpOptions(
        UdpBackEnd backEnd,
        SegmentationOffload trains,
        boolean floodSockets,
        List<String> framePorts,
        long flushNanos,
        Map<String, String> frames,
        Map<String, String> dpdk) {
    private static final String DPDK = "dpdk:";
    private static final String QUEUES = "queues";
    private static final long NANOS_IN_MICRO = 1000;

    /** Reads them. */
    public static UdpOptions of(Configuration configuration) {
        Map<String, String> frames = new LinkedHashMap<>();
        number(frames, QUEUES, configuration.get(ConfigurationKeys.PACKET_QUEUES));
        frames.put("burst", configuration.get(ConfigurationKeys.PACKET_BURST).toString());
        frames.put("frames", configuration.get(ConfigurationKeys.PACKET_FRAMES).toString());
        frames.put("frame-bytes", configuration.get(ConfigurationKeys.PACKET_FRAME_BYTES).toString());
        Map<String, String> dpdk = new LinkedHashMap<>();
        dpdk.put("eal-program", configuration.get(ConfigurationKeys.PACKET_PROGRAM));
        number(dpdk, "eal-channels", configuration.get(ConfigurationKeys.PACKET_CHANNELS));
        number(dpdk, "eal-memory", configuration.get(ConfigurationKeys.PACKET_MEMORY));
        list(dpdk, "eal-block", configuration.get(ConfigurationKeys.PACKET_BLOCK));
        list(dpdk, "eal-allow", configuration.get(ConfigurationKeys.PACKET_ALLOW));
        return new UdpOptions(
                configuration.get(ConfigurationKeys.GNRS_BACK_END),
                configuration.get(ConfigurationKeys.GNRS_GRO),
                configuration.get(ConfigurationKeys.GNRS_ASIDE),
                configuration.get(ConfigurationKeys.PACKET_PORTS),
                configuration.get(ConfigurationKeys.PACKET_FLUSH) * NANOS_IN_MICRO,
                frames,
                dpdk);
    }

    /** Returns the options of a port of frames whose name says nothing else. */
    Map<String, String> standards(String name, int workers) {
        Map<String, String> options = new LinkedHashMap<>(frames);
        options.putIfAbsent(QUEUES, Integer.toString(workers));
        if (name.startsWith(DPDK)) {
            options.putAll(dpdk);
        }
        return options;
    }

    private static void number(Map<String, String> options, String key, long value) {
        if (value != 0) {
            options.put(key, Long.toString(value));
        }
    }

    private static void list(Map<String, String> options, String key, List<String> values) {
        if (!values.isEmpty()) {
            options.put(key, String.join(";", values));
        }
    }
}
