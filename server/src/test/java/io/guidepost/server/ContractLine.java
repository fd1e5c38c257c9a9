package io.guidepost.server;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.service.Workers;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A place where a server answers on ports of one kind, and a client of it that is not on the same port. */
abstract class ContractLine implements AutoCloseable {
    /** The kinds of ports. */
    enum Kind {
        /** Sockets of the kernel, with batched calls, bound to every address. */
        KERNEL,
        /** Sockets of the JDK. */
        CHANNEL,
        /** A packet socket on a virtual interface, whose other end is in a namespace of its own. */
        PACKET,
        /** A link inside the process. */
        MEMORY
    }

    private static final int CLIENT_PORT = 40_000;

    private static final String WRITERS = "gnrs.writers=10.79.0.0/16";

    /** Opens one; a test that may not is skipped. */
    static ContractLine of(Kind kind) throws IOException {
        return switch (kind) {
            case KERNEL -> new Sockets(UdpBackEnd.KERNEL, "0.0.0.0");
            case CHANNEL -> new Sockets(UdpBackEnd.CHANNEL, "127.0.0.3");
            case PACKET -> new Interface();
            case MEMORY -> new Link();
        };
    }

    /** The port number of the service, which was free. */
    final int number;

    private ContractLine() throws IOException {
        number = free();
    }

    /** A number that is free over UDP and over TCP: DNS has both. */
    private static int free() throws IOException {
        while (true) {
            try (DatagramSocket socket = new DatagramSocket(0);
                    ServerSocket connections = new ServerSocket(socket.getLocalPort())) {
                return connections.getLocalPort();
            } catch (BindException taken) {
                // Over TCP: another one.
            }
        }
    }

    /** Settings of a server whose UDP service has its kernel addresses under a key. */
    abstract List<String> settings(String listenKey);

    Workers.HostOpener opener() {
        return Hosts::open;
    }

    abstract InetAddress address();

    /** Returns where the service is asked. */
    InetSocketAddress at() {
        return new InetSocketAddress(address(), number);
    }

    abstract DatagramClient client();

    /** Returns what its ports are called in metrics, from the first letter. */
    abstract String portName();

    /** Opens a port in the place of a server that has ended. */
    abstract Port reopen() throws IOException;

    @Override
    public abstract void close();

    private static final class Sockets extends ContractLine {
        private final UdpBackEnd backEnd;
        private final String bound;
        private final DatagramPeer client = DatagramPeer.at("127.0.0.1");

        Sockets(UdpBackEnd backEnd, String bound) throws IOException {
            this.backEnd = backEnd;
            this.bound = bound;
        }

        @Override
        List<String> settings(String listenKey) {
            String way = ConfigurationKeys.SERVER_BACK_END.name() + "=" + backEnd.name().toLowerCase(Locale.ROOT);
            return List.of(listenKey + "=" + bound, way);
        }

        /** An address that no route would choose for an answer. */
        @Override
        InetAddress address() {
            return InetAddress.ofLiteral("127.0.0.3");
        }

        @Override
        DatagramClient client() {
            return client;
        }

        @Override
        String portName() {
            return backEnd == UdpBackEnd.KERNEL ? "udp:" : "udp-channel:";
        }

        @Override
        Port reopen() throws IOException {
            return UdpPorts.open(UdpSettings.of(new InetSocketAddress(InetAddress.ofLiteral(bound), number)).withBackEnd(backEnd));
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static final class Interface extends ContractLine {
        private final String device = "gc" + ProcessHandle.current().pid() % 1_000_000;
        private final NamespaceClient client = new NamespaceClient(device, "10.79.0.1/24");

        Interface() throws IOException {}

        private String port() {
            return "packet:" + device + ",address=10.79.0.9/24";
        }

        @Override
        List<String> settings(String listenKey) {
            return List.of(listenKey + "=", "packet.ports=" + port(), WRITERS);
        }

        @Override
        InetAddress address() {
            return InetAddress.ofLiteral("10.79.0.9");
        }

        @Override
        DatagramClient client() {
            return client;
        }

        @Override
        String portName() {
            return "host:packet:";
        }

        @Override
        Port reopen() throws IOException {
            return Hosts.open(port(), List.of(number), Map.of());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static final class Link extends ContractLine {
        private MemoryLink link = new MemoryLink(FrameSettings.of("contract"));
        private DatagramPeer client = client(link);

        Link() throws IOException {}

        private static DatagramPeer client(MemoryLink link) {
            return new DatagramPeer(HostPort.of(link.right(), InterfaceAddress.parse("10.79.1.1/24"), List.of(CLIENT_PORT)));
        }

        @Override
        List<String> settings(String listenKey) {
            return List.of(listenKey + "=", "packet.ports=memory:contract,address=10.79.1.9/24", WRITERS);
        }

        @Override
        Workers.HostOpener opener() {
            return (_, udpPorts, _) -> HostPort.of(link.left(), InterfaceAddress.parse("10.79.1.9/24"), udpPorts);
        }

        @Override
        InetAddress address() {
            return InetAddress.ofLiteral("10.79.1.9");
        }

        @Override
        DatagramClient client() {
            return client;
        }

        @Override
        String portName() {
            return "host:memory:";
        }

        /** The cable is pulled with the server, and another is laid. */
        @Override
        Port reopen() {
            if (client.port().link().up()) {
                throw new AssertionError("the link is up though the server has closed its end");
            }
            link = new MemoryLink(FrameSettings.of("contract"));
            client = client(link);
            return HostPort.of(link.left(), InterfaceAddress.parse("10.79.1.9/24"), List.of(number));
        }

        @Override
        public void close() {
            link.close();
        }
    }
}
