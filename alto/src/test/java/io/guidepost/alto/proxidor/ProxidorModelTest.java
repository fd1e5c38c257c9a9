package io.guidepost.alto.proxidor;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The door against a slow one that has objects for all, and sorts them by the distance that the network has. */
class ProxidorModelTest {
    private static final int QUESTIONS = 20_000;
    private static final long SEED = 20_090_630;

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** One candidate as it is on the wire, and what is asked of the network about it. */
    private record Item(byte[] bytes, Address address) {}

    private static byte[] bytesOf(Address address, ProxidorListType type, int length) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        if (type == ProxidorListType.IPV6 || type == ProxidorListType.IPV6_PREFIX) {
            out.writeLong(address.high());
            out.writeLong(address.low());
        } else {
            out.writeInt(address.ipv4());
        }
        if (type == ProxidorListType.IPV4_PREFIX || type == ProxidorListType.IPV6_PREFIX) {
            out.writeByte(length);
        }
        return bytes.toByteArray();
    }

    private Item item(ProxidorListType type) throws IOException {
        boolean six = type == ProxidorListType.IPV6 || type == ProxidorListType.IPV6_PREFIX;
        Address address = six ? ProxidorDoorFixture.anyIpv6(random) : ProxidorDoorFixture.anyIpv4(random);
        return new Item(bytesOf(address, type, random.nextInt(six ? 129 : 33)), address);
    }

    private static double cost(Ranking ranking, Address from, Address to) {
        int source = ranking.source(ranking.place(from.high(), from.low()));
        double cost = ranking.cost(source, ranking.place(to.high(), to.low()));
        return Double.isNaN(cost) ? Double.POSITIVE_INFINITY : cost;
    }

    private static byte[] answer(int id, ProxidorListType type, List<Item> items, Address from, boolean unknownLast, boolean ignored)
            throws IOException {
        Ranking ranking = ProxidorDoorFixture.RANKING;
        List<Item> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparingDouble(each -> cost(ranking, from, each.address)));
        if (!unknownLast) {
            sorted.removeIf(each -> cost(ranking, from, each.address) == Double.POSITIVE_INFINITY);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(ignored ? 0x8080 : 0x8000);
        out.writeInt(id);
        out.writeShort(60);
        out.writeShort(0);
        out.writeByte(type.code());
        out.writeByte(0);
        out.writeShort(4 + sorted.stream().mapToInt(each -> each.bytes.length).sum());
        for (Item each : sorted) {
            out.write(each.bytes);
        }
        return bytes.toByteArray();
    }

    private byte[] question(int id, ProxidorListType type, List<Item> items, Optional<Prefix> given) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        boolean authenticated = random.nextBoolean();
        Prefix source = given.orElse(null);
        int flags = (authenticated ? 1 << 10 : 0) | (source == null ? 0 : source.isIpv4() ? 1 << 9 : 1 << 8);
        out.writeShort(0);
        out.writeShort(flags | random.nextInt(16) << 4 | random.nextInt(16));
        out.writeInt(id);
        out.writeShort(random.nextInt());
        out.writeByte(0);
        out.writeByte(random.nextInt());
        if (authenticated) {
            out.writeLong(random.nextLong());
        }
        if (source != null) {
            if (!source.isIpv4()) {
                out.writeLong(source.high());
                out.writeLong(source.low());
                out.writeByte(source.length());
            } else {
                out.writeInt((int) source.low());
                out.writeByte(source.length() - 96);
            }
        }
        int from = 0;
        for (int part = 1; from < items.size(); part++) {
            boolean cut = part < ProxidorLimits.PARTS_MAX && random.nextInt(3) == 0;
            int to = cut ? from + random.nextInt(items.size() - from + 1) : items.size();
            list(out, type, items.subList(from, to), to < items.size());
            from = to;
        }
        return bytes.toByteArray();
    }

    private void list(DataOutputStream out, ProxidorListType type, List<Item> items, boolean more) throws IOException {
        int al = random.nextInt(4);
        int[] attributes = {0, 4, 8, 16};
        byte[] attribute = new byte[attributes[al]];
        random.nextBytes(attribute);
        out.writeByte(type.code());
        out.writeByte((more ? 0x80 : 0) | al << 5 | random.nextInt(32));
        out.writeShort(4 + attribute.length + items.stream().mapToInt(each -> each.bytes.length).sum());
        out.write(attribute);
        for (Item each : items) {
            out.write(each.bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theDoorSaysWhatTheModelSays(boolean unknownLast) throws IOException {
        ProxidorDoorFixture stand = new ProxidorDoorFixture(unknownLast);
        ProxidorListType[] types = ProxidorListType.values();
        for (int i = 0; i < QUESTIONS; i++) {
            ProxidorListType type = types[random.nextInt(types.length)];
            List<Item> items = new ArrayList<>();
            int count = 2 + random.nextInt(random.nextInt(10) == 0 ? type.most() - 1 : 20);
            for (int k = 0; k < count; k++) {
                items.add(random.nextInt(8) == 0 && k > 0 ? items.get(random.nextInt(k)) : item(type));
            }
            boolean proxied = random.nextInt(4) == 0;
            boolean believed = proxied && random.nextBoolean();
            Address other = random.nextBoolean() ? ProxidorDoorFixture.FAR_CUSTOMER : new Address(0x2001_0db8_0009_0000L, 5);
            Address peer = believed ? ProxidorDoorFixture.PROXY : ProxidorDoorFixture.CUSTOMER;
            Prefix block = new Prefix(other.high(), other.low(), other.isIpv4() ? 120 : 64);
            byte[] question = question(i, type, items, Optional.of(block).filter(each -> proxied));
            Address from = believed ? other : peer;
            byte[] answer = stand.ask(peer, question);
            assertThat(answer)
                    .as("question %d of seed %d", i, SEED)
                    .isEqualTo(answer(i, type, items, from, unknownLast, proxied && !believed));
            assertThat(answer.length).isLessThanOrEqualTo(question.length);
        }
        assertThat(stand.count(ProxidorCount.RESPONSES_NO_ERROR)).isEqualTo(QUESTIONS);
        assertThat(stand.count(ProxidorCount.PROXIED_REQUESTS)).isPositive();
        assertThat(stand.count(ProxidorCount.IGNORED_SOURCES)).isPositive();
        assertThat(stand.count(ProxidorCount.CANDIDATES_UNKNOWN)).isPositive();
    }
}
