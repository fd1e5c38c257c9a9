package io.guidepost.server.service;

import io.guidepost.packet.host.HostPort;
import io.guidepost.packet.host.Hosts;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Opens the ports of frames that the configuration names, each with a host on it. */
final class FramePorts {
    private static final String DPDK = "dpdk:";

    private FramePorts() {}

    /**
     * Opens them.
     *
     * @param udpPort where GNRS is answered
     * @throws IOException in one line, if one cannot be had: those before are closed again
     */
    static List<HostPort> open(Configuration configuration, int udpPort, int workers) throws IOException {
        List<HostPort> opened = new ArrayList<>();
        try {
            for (String name : configuration.get(ConfigurationKeys.PACKET_PORTS)) {
                HostPort port = Hosts.open(name, List.of(udpPort), standards(configuration, name, workers));
                opened.add(port);
                if (port.queues() > workers) {
                    throw new IOException(name + " has " + port.queues() + " queues for " + workers
                            + " workers: set gnrs.workers to as many, or queues to fewer");
                }
            }
        } catch (IOException | RuntimeException e) {
            opened.forEach(HostPort::close);
            throw e;
        }
        return opened;
    }

    /** What the keys of the configuration are as options of a port. */
    static Map<String, String> standards(Configuration configuration, String name, int workers) {
        Map<String, String> options = new LinkedHashMap<>();
        long queues = configuration.get(ConfigurationKeys.PACKET_QUEUES);
        options.put("queues", Long.toString(queues == 0 ? workers : queues));
        options.put("burst", configuration.get(ConfigurationKeys.PACKET_BURST).toString());
        options.put("frames", configuration.get(ConfigurationKeys.PACKET_FRAMES).toString());
        options.put("frame-bytes", configuration.get(ConfigurationKeys.PACKET_FRAME_BYTES).toString());
        if (name.startsWith(DPDK)) {
            options.put("eal-program", configuration.get(ConfigurationKeys.PACKET_PROGRAM));
            number(options, "eal-channels", configuration.get(ConfigurationKeys.PACKET_CHANNELS));
            number(options, "eal-memory", configuration.get(ConfigurationKeys.PACKET_MEMORY));
            list(options, "eal-block", configuration.get(ConfigurationKeys.PACKET_BLOCK));
            list(options, "eal-allow", configuration.get(ConfigurationKeys.PACKET_ALLOW));
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
