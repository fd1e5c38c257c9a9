package io.guidepost.server.service;

import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.server.config.AdmissionControl;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the configuration says of the ports of all services over UDP.
 *
 * @param backEnd how the kernel's sockets are used
 * @param segmentationOffload whether datagrams of one peer may be handled together by the kernel
 * @param admission how much admission control stands in front of them
 * @param framePorts names of the ports of frames, each with a host on it
 * @param eal how DPDK starts: options of each of its ports whose name says nothing else
 */
public record UdpOptions(
        UdpBackEnd backEnd,
        SegmentationOffload segmentationOffload,
        AdmissionControl admission,
        List<String> framePorts,
        Map<String, String> eal) {
    private static final String DPDK = "dpdk:";
    private static final String EAL = "eal-";

    /** Reads them. */
    public static UdpOptions of(Configuration configuration) {
        Map<String, String> eal = new LinkedHashMap<>();
        for (String each : configuration.get(ConfigurationKeys.PACKET_EAL)) {
            int equals = each.indexOf('=');
            eal.put(EAL + each.substring(0, equals).strip(), each.substring(equals + 1).strip());
        }
        return new UdpOptions(
                configuration.get(ConfigurationKeys.SERVER_BACK_END),
                configuration.get(ConfigurationKeys.UDP_OFFLOAD),
                configuration.get(ConfigurationKeys.UDP_ADMISSION),
                configuration.get(ConfigurationKeys.PACKET_PORTS),
                eal);
    }

    /** Returns the options of a port of frames whose name says nothing else. */
    Map<String, String> standards(String name) {
        return name.startsWith(DPDK) ? eal : Map.of();
    }
}
