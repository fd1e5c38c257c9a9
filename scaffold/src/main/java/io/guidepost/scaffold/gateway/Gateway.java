package io.guidepost.scaffold.gateway;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.bpf.FlowOffload;
import io.guidepost.packet.bpf.TcxOffload;
import io.guidepost.packet.netlink.RouteMetrics;
import io.guidepost.packet.netlink.SocketDiagnostics;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.GatewaySettings;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.segment.FlowTuple;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;


/**
 * The gateway of this host: a TUN device to its programs, a UDP socket for each of its links, and DNS for the names of objects, on one
 * worker. Thread-safe; it belongs to the network namespace of the thread that opens it.
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Gateway.class.getName());

    private static final Path FORWARDING = Path.of("/proc/sys/net/ipv6/conf/all/forwarding");

    /** Bits of an IPv6 address before the IPv4 address that is in it. */
    private static final int IPV4_AT = 96;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ZoneAnswers zone;
    private final WaySockets ways;
    private final boolean ipv6;
    private final List<Port> ports = new ArrayList<>();
    private final MachineQuestions<FlowMachine> questions = new MachineQuestions<>(this::wake, GatewayLimits.COMMAND_MILLIS_MAX);
    private final Worker worker;

    private Gateway(GatewayOptions options, HostKey own) throws IOException {
        GatewaySettings settings = options.machine();
        try {
            mustForward(options);
            FlowFile flows = opened(new FlowFile(options.flows(), settings, own.guid()));
            Port both = tunOfBoth(options);
            ipv6 = both != null;
            Port tun = opened(both != null ? both : FramePortOpener.open(tunName(options)));
            keepTimeoutsShort(options, true);
            if (ipv6) {
                keepTimeoutsShort(options, false);
            }
            zone = new ZoneAnswers(options.zone(), ipv6);
            ways = opened(new WaySockets(options));
            SocketDiagnostics sockets = opened(new SocketDiagnostics());
            InetSocketAddress dns = options.dns();
            ZoneServer server = dns == null ? null : opened(new ZoneServer(dns, zone));
            ports.add(tun);
            if (server != null) {
                ports.add(server.port());
            }
            SecureRandom random = new SecureRandom();
            GatewayDuty.Sockets programs = programs(sockets, settings, ipv6);
            GatewayDuty duty = new GatewayDuty(tun, ways, server, offload(options), programs, questions, output -> new FlowMachine(
                    settings, own, () -> HostKey.generate(random), random::nextLong, output, flows.memory()));
            worker = new Worker(WorkerSettings.of("gateway")).watch(tun.rx(0)).add(duty);
            ways.watch(worker);
            if (server != null) {
                worker.watch(server.port().rx(0));
            }
        } catch (IOException | RuntimeException e) {
            closeOpened();
            throw e;
        }
    }

    private static GatewayDuty.Sockets programs(SocketDiagnostics kernel, GatewaySettings settings, boolean ipv6) {
        return new GatewayDuty.Sockets() {
            @Override
            public boolean listens(int protocol, boolean ipv4, int port) {
                return (ipv4 || ipv6)
                        && kernel.listens(protocol, GatewaySettings.high(ipv4), GatewaySettings.low(ipv4, settings.identity()), port);
            }

            @Override
            public boolean hasConnection(FlowTuple tuple) {
                return kernel.hasConnection(
                        tuple.ownHigh(), tuple.ownLow(), tuple.ownPort(), tuple.peerHigh(), tuple.peerLow(), tuple.peerPort());
            }
        };
    }

    /**
     * Opens a gateway.
     *
     * @param own the host's key for good
     * @throws IOException in one line: what is missing or refused
     */
    public static Gateway open(GatewayOptions options, HostKey own) throws IOException {
        Gateway gateway = new Gateway(options, own);
        try {
            gateway.worker.start();
            gateway.questions.tell(machine -> {
                options.routers().forEach(machine::router);
                if (options.seals()) {
                    machine.sealAll();
                }
            });
            Thread.ofPlatform().daemon().name("gateway-warm-up").start(() -> Delegation.warmUp(new SecureRandom()));
            return gateway;
        } catch (InterruptedException e) {
            gateway.close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the gateway was opened");
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.add(part);
        return part;
    }

    private static String tunName(GatewayOptions options) {
        GatewaySettings settings = options.machine();
        int frameBytes = Math.max(2_048, Integer.highestOneBit(options.mtu() + 512) * 2);
        return "tun:" + options.tun() + ",queues=1,burst=" + GatewayLimits.BURST_MAX + ",frame-bytes=" + Math.min(frameBytes, 1 << 16)
                + ",mtu=" + options.mtu() + ",trains=true,persistent=" + (options.flows() != null)
                + ",address=" + AddressText.ipv4(settings.identity()) + "/" + settings.prefixBits();
    }

    /** Opens the device with addresses of both versions of IP; null if the kernel has one alone. */
    private static @Nullable Port tunOfBoth(GatewayOptions options) {
        GatewaySettings settings = options.machine();
        InetAddress ipv6 = Addresses.toInetAddress(GatewaySettings.IPV6_HIGH, GatewaySettings.low(false, settings.identity()));
        try {
            return FramePortOpener.open(tunName(options) + "+" + AddressText.of(ipv6) + "/" + prefixBits(settings, false));
        } catch (IOException e) {
            LOG.log(Level.INFO, "programs reach objects by IPv4 alone: {0}", e.getMessage());
            return null;
        }
    }

    /** The kernel is the router of the packets that the gateway gives labels. */
    private static void mustForward(GatewayOptions options) throws IOException {
        if (options.labels() && !Files.readString(FORWARDING).strip().equals("1")) {
            throw new IOException("labels need a kernel that forwards IPv6: sysctl net.ipv6.conf.all.forwarding=1");
        }
    }

    /** Has the kernel label packets by itself, where it can and this process may. */
    private FlowOffload offload(GatewayOptions options) {
        if (options.labels()) {
            try {
                return opened(TcxOffload.open(options.tun(), GatewaySettings.IPV6_HIGH));
            } catch (IOException e) {
                LOG.log(Level.INFO, "each packet with labels passes through this process: {0}", e.getMessage());
            }
        }
        return FlowOffload.NONE;
    }

    private static int prefixBits(GatewaySettings settings, boolean ipv4) {
        return ipv4 ? settings.prefixBits() : settings.prefixBits() + IPV4_AT;
    }

    private static void keepTimeoutsShort(GatewayOptions options, boolean ipv4) {
        GatewaySettings settings = options.machine();
        try {
            RouteMetrics.retransmissionTimeoutMin(
                    options.tun(),
                    GatewaySettings.high(ipv4),
                    GatewaySettings.low(ipv4, settings.identity()),
                    prefixBits(settings, ipv4),
                    GatewayLimits.RETRANSMISSION_MILLIS_MIN);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "connections wait longer after an outage: {0}", e.getMessage());
        }
    }

    /** Returns whether programs reach objects by IPv6 too. */
    public boolean hasIpv6() {
        return ipv6;
    }

    /** Returns by what its machine is asked, and told. */
    public MachineQuestions<FlowMachine> machine() {
        return questions;
    }

    /** Returns how it is, and what it has counted. */
    public GatewayStatus status() throws IOException {
        return questions.ask(machine -> {
            List<Port> all = new ArrayList<>(ways.ports());
            all.addAll(ports);
            return new GatewayStatus(machine.load(), ways.list(), machine.tally(), zone.counts(), all, List.of(worker));
        });
    }

    private void wake() {
        worker.wake();
    }

    private void closeOpened() {
        for (AutoCloseable each : opened.reversed()) {
            try {
                each.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "a port of the gateway was not closed: {0}", e.toString());
            }
        }
    }

    /** Leaves the object routers, and ends; flows that stand go on when a gateway is opened again. */
    @Override
    public void close() {
        questions.leave(FlowMachine::leave);
        worker.close();
        closeOpened();
    }
}
