package io.guidepost.packet.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Port;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Ports with as many queues, and interfaces that go and come back under a running middlebox. */
class MiddleboxTest {
    private static final int FRAMES = 4096;

    @Test
    void anInterfaceComesBackUnderPacketSockets() throws IOException, InterruptedException {
        Namespaces.run(MiddleboxTest.class, "packet");
    }

    @Test
    void anInterfaceComesBackUnderXdp() throws IOException, InterruptedException {
        Namespaces.runAsRoot(MiddleboxTest.class, "xdp");
    }

    /** Its driver keeps the socket of an interface that is gone, and says that the link is up. */
    @Test
    void anInterfaceComesBackUnderADeviceOfDpdk() throws IOException, InterruptedException {
        Namespaces.runAsRoot(MiddleboxTest.class, "dpdk");
    }

    @Test
    void devicesWithDifferentNumbersOfQueuesAreRefused() throws IOException, InterruptedException {
        Namespaces.runAsRoot(MiddleboxTest.class, "queues");
    }

    @Test
    void portsThatAreJoinedHaveAsManyQueues() {
        try (MemoryLink one = new MemoryLink(FrameSettings.of("one"));
                MemoryLink two = new MemoryLink(FrameSettings.of("two").withQueues(2))) {
            assertThatThrownBy(() -> Middlebox.join(one.left(), two.left(), () -> FrameHandler.PASS_ALL, () -> FrameHandler.PASS_ALL))
                    .hasMessageEndingWith("has 2; open both with as many");
        }
    }

    /** The memory of a port is not freed under a handler that may still touch it. */
    @Test
    void thePortsOfAWorkerThatIsStuckStayOpen() throws InterruptedException {
        MemoryLink one = new MemoryLink(FrameSettings.of("one"));
        MemoryLink two = new MemoryLink(FrameSettings.of("two"));
        List<String> closed = new CopyOnWriteArrayList<>();
        CountDownLatch inside = new CountDownLatch(1);
        AtomicBoolean stuck = new AtomicBoolean(true);
        FrameHandler handler = (in, index) -> {
            inside.countDown();
            while (stuck.get()) {
                Thread.onSpinWait();
            }
            return FrameHandler.DISCARD;
        };
        try (LogCapture log = new LogCapture(Middlebox.class)) {
            Middlebox box = Middlebox.join(
                    telling(one.left(), closed::add), telling(two.left(), closed::add), () -> handler, () -> FrameHandler.PASS_ALL);
            Burst out = one.right().tx(0).burst();
            Memory.put64(out.room(), 1);
            out.append(60);
            one.right().tx(0).send(out);
            inside.await();
            Thread closer = Thread.ofPlatform().daemon().start(box::close);
            assertThat(closer.join(Duration.ofMinutes(2))).as("closing comes back").isTrue();
            assertThat(closed).isEmpty();
            assertThat(log.messages()).containsExactly("worker middlebox-0 is stuck; ports that it may still use stay open:"
                    + " memory:one-a, memory:two-a");
            stuck.set(false);
            Eventually.await("its end to close them", () -> {
                box.close();
                return closed.size() == 2;
            });
        } finally {
            stuck.set(false);
        }
    }

    @Test
    void theEndOfTheProcessClosesAll() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MiddleboxTest.class.getName(),
                        "terminated")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("joined");
            process.toHandle().destroy();
            assertThat(said.lines()).startsWith("closed memory:one-a", "closed memory:two-a");
        } finally {
            process.destroyForcibly();
        }
    }

    private static void joinUntilTerminated() throws InterruptedException {
        MemoryLink one = new MemoryLink(FrameSettings.of("one"));
        MemoryLink two = new MemoryLink(FrameSettings.of("two"));
        try (Middlebox box = Middlebox.join(
                telling(one.left(), MiddleboxTest::sayClosed), telling(two.left(), MiddleboxTest::sayClosed),
                () -> FrameHandler.PASS_ALL, () -> FrameHandler.PASS_ALL)) {
            System.out.println("joined");
            box.await();
        }
    }

    private static void sayClosed(String name) {
        System.out.println("closed " + name);
    }

    /** A port that tells its name when it is closed first. */
    private static Port telling(Port port, Consumer<String> said) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Port) Proxy.newProxyInstance(Port.class.getClassLoader(), new Class<?>[] {Port.class}, (self, method, arguments) -> {
            if (method.getName().equals("close") && !closed.getAndSet(true)) {
                said.accept(port.name());
            }
            return method.invoke(port, arguments);
        });
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args[0]) {
            case "queues" -> queuesAgree();
            case "terminated" -> joinUntilTerminated();
            case "dpdk" -> {
                try {
                    FramePortOpener.open("dpdk:net_null0").close();
                } catch (IOException e) {
                    Namespaces.skipped(String.valueOf(e.getMessage()));
                }
                anInterfaceGoesAndComesBack("dpdk");
            }
            default -> anInterfaceGoesAndComesBack(args[0]);
        }
        Namespaces.done(args[0]);
    }

    private static void pair(String near, String far, int queues) throws IOException, InterruptedException {
        String many = " numrxqueues " + queues + " numtxqueues " + queues;
        Namespaces.shell("ip link add " + near + many + " type veth peer name " + far + many);
        for (String each : new String[] {near, far}) {
            Namespaces.shell("sysctl -qw net.ipv6.conf." + each + ".disable_ipv6=1; ip link set " + each + " up");
        }
    }

    private static void queuesAgree() throws IOException, InterruptedException {
        pair("a0", "a1", 2);
        pair("b0", "b1", 1);
        try (Middlebox box = Middlebox.open(List.of("xdp:a0", "packet:b0"), pool())) {
            assertThat(box.ports()).extracting(Port::queues).containsExactly(2, 2);
        }
        assertThatThrownBy(() -> Middlebox.open(List.of("xdp:a0", "xdp:b0"), pool()))
                .isInstanceOf(IOException.class)
                .hasMessage("the ports need as many queues: xdp:a0 has 2, xdp:b0 has 1; set as many on each device (ethtool -L), or"
                        + " queues= on the other ports");
        try (Middlebox box = Middlebox.open(List.of("xdp:a0,queues=1,rest=drop", "xdp:b0"), pool())) {
            assertThat(box.queues()).isEqualTo(1);
        }
    }

    private static FramePool pool() {
        return new FramePool(FRAMES * 4, 2048, FrameSettings.HEADROOM_BYTES);
    }

    private static int exchange(Port from, Burst out, Port to, Burst in) {
        Memory.put64(out.room(), -1L);
        Memory.put64(out.room() + 8, 0x0000_0000_88b5_0000L);
        out.append(60);
        from.tx(0).send(out);
        return to.rx(0).receive(in);
    }

    private static void anInterfaceGoesAndComesBack(String kind) throws IOException, InterruptedException {
        pair("a0", "a1", 1);
        pair("b0", "b1", 1);
        FramePool pool = pool();
        boolean dpdk = kind.equals("dpdk");
        String ring = kind.equals("xdp") ? ",ring=256" : "";
        List<String> names = dpdk
                ? List.of("dpdk:net_af_packet0,iface=a0", "dpdk:net_af_packet1,iface=b0")
                : List.of(kind + ":a0" + ring, kind + ":b0" + ring);
        String name = dpdk ? "dpdk:net_af_packet1" : kind + ":b0";
        Port left = FramePortOpener.open("packet:a1");
        try (Middlebox box = Middlebox.open(names, pool)) {
            Port a = box.ports().getFirst();
            Port b = box.ports().getLast();
            box.start(
                    queue -> WorkerSettings.of("test-" + queue),
                    queue -> List.of(
                            new FrameForwarder(a.rx(queue), FrameHandler.PASS_ALL, new TxBuffer(b.tx(queue))),
                            new FrameForwarder(b.rx(queue), FrameHandler.PASS_ALL, new TxBuffer(a.tx(queue)))));
            Burst out = left.tx(0).burst();
            List<Integer> free = new ArrayList<>();
            long receivedBefore = 0;
            for (int round = 0; round < 6; round++) {
                try (Port right = FramePortOpener.open("packet:b1")) {
                    Burst in = right.rx(0).burst();
                    Eventually.await("a frame to pass", () -> exchange(left, out, right, in) > 0);
                }
                assertThat(b.tx(0).statistics().packets()).isGreaterThan(round);
                assertThat(a.rx(0).statistics().packets()).isGreaterThan(receivedBefore);
                receivedBefore = a.rx(0).statistics().packets();
                Namespaces.shell("ip link del b0");
                awaitChange(box, name, "the interface is gone; waiting for its return");
                assertThat(box.isLost()).isTrue();
                assertThat(b.link().text()).isEqualTo("gone");
                assertThat(box.supervise()).as("said once").noneMatch(each -> each.startsWith(name));
                long lost = b.tx(0).statistics().drops(Drop.UNREACHABLE);
                long sent = b.tx(0).statistics().packets();
                Eventually.await("frames to be counted as lost", () -> {
                    exchange(left, out, left, left.rx(0).burst());
                    return b.tx(0).statistics().drops(Drop.UNREACHABLE) > lost;
                });
                assertThat(b.tx(0).statistics().packets()).isEqualTo(sent);
                pair("b0", "b1", 1);
                // The kernel may tell of the carrier up to a second later.
                awaitChange(box, name, "the interface is back; the link is ");
                Eventually.await("the link to be up", () -> b.link().up());
                box.supervise();
                assertThat(box.isLost()).isFalse();
                assertThat(b.tx(0).statistics().packets()).as("counters go on").isEqualTo(sent);
                free.add(pool.free());
            }
            // The first ports leave memory to the bursts of the middlebox; later ones leave none.
            assertThat(free.getLast()).as("free frames %s", free).isGreaterThanOrEqualTo(free.get(1) - 256);
            Namespaces.shell("ip link set b0 down");
            awaitChange(box, name, "the link is down");
            assertThat(b.link().text()).isEqualTo("down");
            long lost = b.tx(0).statistics().drops(Drop.UNREACHABLE);
            Eventually.await("frames to be counted as lost", () -> {
                exchange(left, out, left, left.rx(0).burst());
                return b.tx(0).statistics().drops(Drop.UNREACHABLE) > lost;
            });
        }
        left.close();
    }

    private static void awaitChange(Middlebox box, String port, String change) {
        List<String> seen = new ArrayList<>();
        Eventually.await(change, () -> {
            try {
                seen.addAll(box.supervise());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return seen.stream().anyMatch(each -> each.startsWith(port) && each.contains(change));
        });
    }
}
