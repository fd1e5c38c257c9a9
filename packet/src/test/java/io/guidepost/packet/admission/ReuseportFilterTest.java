package io.guidepost.packet.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The program on a machine of our own, which knows as much of classic BPF as it needs; {@link FloodSocketsTest} has the kernel's. */
class ReuseportFilterTest {
    private static final int NET = -0x100000;
    private static final int ROUNDS = 200;
    private static final int PACKETS = 50;

    private final SplittableRandom random = new SplittableRandom(20261122);

    private static FloodSockets.Network network(String address, int bits) {
        InetAddress first = InetAddress.ofLiteral(address);
        return FloodSockets.Network.of(Addresses.high(first), Addresses.low(first), bits);
    }

    @Test
    void anEmptyProgramOfOneQueueTakesThatForEveryone() {
        assertThat(choice(ReuseportFilter.instructions(1, List.of()), packet("10.0.0.1", 4000))).isZero();
        assertThat(choice(ReuseportFilter.instructions(1, List.of()), packet("2001:db8::1", 4000))).isZero();
    }

    /** What the kernel gets for one network: pinned, as its loader is a reader that we did not write. */
    @Test
    void theInstructionsOfOneNetworkAreThese() {
        assertThat(ReuseportFilter.instructions(1, List.of(network("192.0.2.0", 24)))).containsExactly(
                0xfff00000_00000030L, // 0: A = first byte of the IP header
                0x00000004_00000074L, // 1: A >>= 4
                0x00000006_01000015L, // 2: if A is 6 go on, else skip one
                0x00000005_00000005L, // 3: go to 9
                0xfff0000c_00000020L, // 4: A = source address
                0xffffff00_00000054L, // 5: A &= mask
                0xc0000200_01000015L, // 6: if A is 192.0.2.0 go on, else skip one
                0x00000002_00000005L, // 7: go to 10
                0x00000000_00000005L, // 8: go to 9
                0x00000000_00000006L, // 9: socket 0
                0x00000001_00000006L); // 10: socket 1
    }

    @Test
    void whoIsInOneOfTheNetworksIsAsideAndNobodyElse() {
        for (int round = 0; round < ROUNDS; round++) {
            int queues = 1 + random.nextInt(5);
            List<FloodSockets.Network> networks = new ArrayList<>();
            for (int i = random.nextInt(AdmissionLimits.FLOOD_NETWORKS_MAX); i >= 0; i--) {
                long low = random.nextLong();
                networks.add(random.nextBoolean()
                        ? FloodSockets.Network.of(0, Addresses.ipv4Low((int) low), 1 + random.nextInt(32))
                        : FloodSockets.Network.of(random.nextLong(), low, 1 + random.nextInt(128)));
            }
            long[] program = ReuseportFilter.instructions(queues, networks);
            assertThat(program).hasSizeLessThanOrEqualTo(4096);
            for (int i = 0; i < PACKETS; i++) {
                FloodSockets.Network near = networks.get(random.nextInt(networks.size()));
                long high = near.isIpv4() ? 0 : flip(near.high());
                long low = near.isIpv4() ? Addresses.ipv4Low((int) flip(near.low())) : flip(near.low());
                boolean aside = networks.stream().anyMatch(each -> contains(each, high, low));
                int port = random.nextInt(65536);
                int socket = choice(program, packet(high, low, port));
                assertThat(socket >= queues).as("round %d, packet %d", round, i).isEqualTo(aside);
                assertThat(socket).isBetween(0, 2 * queues - 1);
                assertThat(choice(program, packet(high, low, port))).as("one sender, one socket").isEqualTo(socket);
                long[] without = ReuseportFilter.instructions(queues, List.of());
                assertThat(choice(without, packet(high, low, port))).as("its place among them").isEqualTo(socket % queues);
            }
        }
    }

    @Test
    void severalQueuesShareSenders() {
        long[] program = ReuseportFilter.instructions(4, List.of(network("10.0.0.0", 8)));
        for (String sender : List.of("192.0.2.1", "10.1.2.3", "2001:db8::1")) {
            int[] taken = new int[8];
            for (int port = 1024; port < 5024; port++) {
                taken[choice(program, packet(sender, port))]++;
            }
            int first = sender.startsWith("10.") ? 4 : 0;
            for (int i = 0; i < 8; i++) {
                boolean its = i >= first && i < first + 4;
                assertThat(taken[i]).as("%s, socket %d", sender, i).isBetween(its ? 700 : 0, its ? 1300 : 0);
            }
        }
    }

    private long flip(long address) {
        return random.nextBoolean() ? address : address ^ 1L << random.nextInt(64);
    }

    private static boolean contains(FloodSockets.Network network, long high, long low) {
        return network.isIpv4() == Addresses.isIpv4(high, low)
                && FloodSockets.Network.of(high, low, network.bits()).equals(network);
    }

    private static byte[] packet(String address, int port) {
        InetAddress sender = InetAddress.ofLiteral(address);
        return packet(Addresses.high(sender), Addresses.low(sender), port);
    }

    /** An IP header, IPv4 with four bytes of options, and a UDP header. */
    private static byte[] packet(long high, long low, int port) {
        ByteBuffer out = ByteBuffer.allocate(48);
        if (Addresses.isIpv4(high, low)) {
            out.put(0, (byte) 0x46).putInt(12, (int) low).putShort(24, (short) port).putShort(26, (short) 5001);
        } else {
            out.put(0, (byte) 0x60).putLong(8, high).putLong(16, low);
            out.putShort(40, (short) port).putShort(42, (short) 5001);
        }
        return out.array();
    }

    /** Runs a program (McCanne and Jacobson, 1993; Linux, Documentation/networking/filter.rst). */
    private static int choice(long[] program, byte[] ip) {
        ByteBuffer packet = ByteBuffer.wrap(ip);
        int a = 0;
        int x = 0;
        int scratch = 0;
        for (int at = 0; ; at++) {
            int k = (int) (program[at] >>> 32);
            switch ((int) program[at] & 0xffff) {
                case 0x20 -> a = packet.getInt(k - NET);
                case 0x30 -> a = packet.get(k - NET) & 0xff;
                case 0x40 -> a = packet.getInt(x + k - NET);
                case 0xb1 -> x = 4 * (packet.get(k - NET) & 0xf);
                case 0x60 -> a = scratch;
                case 0x61 -> x = scratch;
                case 0x02 -> scratch = a;
                case 0x04 -> a += k;
                case 0x24 -> a *= k;
                case 0x54 -> a &= k;
                case 0x74 -> a >>>= k;
                case 0x94 -> a = Integer.remainderUnsigned(a, k);
                case 0xac -> a ^= x;
                case 0x05 -> at += k;
                case 0x15 -> at += (int) (program[at] >>> (a == k ? 16 : 24)) & 0xff;
                case 0x06 -> {
                    return k;
                }
                case 0x16 -> {
                    return a;
                }
                default -> throw new AssertionError("opcode of " + Long.toHexString(program[at]));
            }
        }
    }
}
