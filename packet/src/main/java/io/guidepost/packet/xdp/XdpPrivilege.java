package io.guidepost.packet.xdp;

/** The message for a missing privilege. */
final class XdpPrivilege {
    static final String ADVICE = "not permitted; run it as root, or with the capabilities CAP_BPF, CAP_NET_ADMIN and"
            + " CAP_NET_RAW (AmbientCapabilities= in a unit of systemd)";

    private XdpPrivilege() {}
}
