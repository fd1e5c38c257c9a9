package io.guidepost.server.cli.scaffold;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.stream.RouterLink;
import io.guidepost.scaffold.stream.ServiceChannel;
import io.guidepost.scaffold.stream.ServiceListener;
import io.guidepost.scaffold.wire.HostLocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What the JVM is to have seen before a gateway has its first connection: keys, seals and messages, which are slow until they are
 * compiled. A gateway runs them seldom, so that it would compile them late; the start-up cache keeps what was hot here (JEP 515).
 */
public final class ScaffoldTraining {
    /** So that the JVM compiles what both do. */
    private static final int CALLS = 300;

    private static final int KEYS = 30;
    private static final int LOOKS_MAX = 5_000;
    private static final long LOOK_NANOS = 1_000_000;

    private ScaffoldTraining() {}

    /** Returns a port that is free over TCP, at which the host listens: numbers that the kernel gives over UDP alone may not be. */
    private static int freePort(InetAddress at) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, at)) {
            return free.getLocalPort();
        }
    }

    /** Connects to an object at this host, again and again, by way of an object router. */
    public static void play(InetSocketAddress objectRouter) throws IOException, Malformed {
        SecureRandom random = new SecureRandom();
        List<InetAddress> here = List.of(InetAddress.getLoopbackAddress());
        HostLocator router = HostLocator.of(objectRouter);
        try (RouterLink serving = RouterLink.open(HostKey.generate(random), here, freePort(here.getFirst()), router);
                RouterLink asking = RouterLink.open(HostKey.generate(random), here, 0, router);
                ServiceListener listener = ServiceListener.open(
                        serving, AllowedHosts.parse(List.of("127.0.0.0/8")), serving.locators().getFirst().toSocketAddress())) {
            long until = Instant.now().getEpochSecond() + 1_000;
            Delegation delegation = ObjectKey.generate(random).delegate(serving.host(), until);
            LocalService service = new LocalService("training", delegation, ServiceChannel.PROTOCOL, 80, false, 0, 1);
            listener.offer(service, null, channel -> {});
            for (int i = 0; i < LOOKS_MAX && !listener.registration(service).taken(); i++) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            for (int i = 0; i < CALLS; i++) {
                ServiceChannel.connect(asking, "training").close();
            }
        }
        for (int i = 0; i < KEYS; i++) {
            HostKey own = HostKey.generate(random);
            Association.agree(own, own, HostKey.generate(random).open(), HostKey.generate(random).open());
            if (!ObjectKey.generate(random).delegate(own.guid(), 0).isSigned()) {
                throw new AssertionError("a signature is not taken");
            }
        }
    }
}
