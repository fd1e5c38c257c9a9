import org.jspecify.annotations.NullMarked;

/** The packet framework: ports, queues and bursts, usable without the rest of Guidepost. */
@NullMarked
module io.guidepost.packet {
    requires transitive io.guidepost.base;
    requires static transitive org.jspecify;

    exports io.guidepost.packet;
    exports io.guidepost.packet.admission;
    exports io.guidepost.packet.backend;
    exports io.guidepost.packet.bpf;
    exports io.guidepost.packet.filter;
    exports io.guidepost.packet.frame;
    exports io.guidepost.packet.handover;
    exports io.guidepost.packet.ip;
    exports io.guidepost.packet.linux;
    exports io.guidepost.packet.memory;
    exports io.guidepost.packet.netlink;
    exports io.guidepost.packet.pcap;
    exports io.guidepost.packet.stream;
    exports io.guidepost.packet.udp;
    exports io.guidepost.packet.worker;
}
