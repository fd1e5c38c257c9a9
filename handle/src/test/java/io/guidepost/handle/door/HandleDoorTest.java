package io.guidepost.handle.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.Ttl;
import io.guidepost.names.Name;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandleDoorTest {
    static final SiteRecord SITE = new SiteRecord(
            2, 11, 7, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of());

    private final HandleDoorStand stand;

    HandleDoorTest() throws IOException {
        stand = new HandleDoorStand(SITE);
        fill(stand);
    }

    @AfterEach
    void close() {
        stand.close();
    }

    static void fill(HandleDoorStand stand) throws IOException {
        stand.homes.home(Handle.of("0.NA/10.5"));
        stand.homes.home(Handle.of("0.NA/0.NA"));
        stand.put("10.5/One", HandleValue.of(1, "URL", "http://e.x/"), HandleValue.of(2, "EMAIL", "a@e.x"));
        HandleValue secret = new HandleValue(
                2, "HS_SECKEY", new byte[] {1, 2}, Permissions.SECRET, Ttl.usual(), 5, List.of());
        stand.put("10.5/some", HandleValue.of(1, "URL", "http://e.x/"), secret);
        stand.put("10.5/secret", secret);
        stand.put("10.5/big", many(40, 80));
        stand.put("10.5/huge", many(1000, 240));
        stand.put("0.NA/10.5", HandleValue.of(1, "DESC", "a prefix"));
        stand.put("0.NA/10.6", HandleValue.of(1, "HS_NA_DELEGATE", "not really a site"));
    }

    private static HandleValue[] many(int values, int bytes) {
        return IntStream.rangeClosed(1, values)
                .mapToObj(i -> HandleValue.of(i, "DESC", "x".repeat(bytes)))
                .toArray(HandleValue[]::new);
    }

    static byte[] question(String handle, List<Integer> indexes, List<String> types, OpFlag... flags) {
        return new HandleMessage(
                        HandleEnvelope.of(0, 77),
                        MessageHeader.request(HandleOperation.RESOLVE, 1_900_000_000, flags),
                        Optional.empty(),
                        new MessageBody.Resolve(Handle.of(handle), indexes, types),
                        Optional.empty())
                .write();
    }

    private static byte[] question(String handle) {
        return question(handle, List.of(), List.of(), OpFlag.PUBL);
    }

    private HandleMessage ask(byte[] question) throws Malformed {
        return HandleMessage.read(HandleDoorStand.joined(stand.ask(question)));
    }

    private void expect(byte[] question, ResponseCode code, boolean atOnce) throws Malformed {
        List<byte[]> now = stand.take(question);
        assertThat(!now.isEmpty()).as("answered at once").isEqualTo(atOnce);
        HandleMessage answer = HandleMessage.read(HandleDoorStand.joined(atOnce ? now : stand.ask()));
        assertThat(answer.responseCode()).contains(code);
        assertThat(answer.envelope().requestId()).isEqualTo(77);
        assertThat(answer.header().siteSerial()).isEqualTo(7);
    }

    @Test
    void whatEverybodyMayReadIsAnsweredAtOnce() throws Malformed {
        expect(question("10.5/one"), ResponseCode.SUCCESS, true);
        expect(question("10.5/none"), ResponseCode.HANDLE_NOT_FOUND, true);
        expect(question("10.9/one"), ResponseCode.NOT_RESPONSIBLE, true);
        expect(question("10.5/some"), ResponseCode.SUCCESS, true);
        expect(question("10.5/secret"), ResponseCode.VALUES_NOT_FOUND, true);
        expect(question("10.5/one", List.of(7), List.of(), OpFlag.PUBL), ResponseCode.VALUES_NOT_FOUND, true);
        expect(question("0.na/10.5"), ResponseCode.SUCCESS, true);
        expect(question("10.5/one", List.of(), List.of()), ResponseCode.SUCCESS, true);
        assertThat(stand.count(HandleCount.SERVICE_REQUESTS)).isZero();
        assertThat(stand.count(HandleCount.RESPONSES_INDEX_SUCCESS)).isEqualTo(4);
        assertThat(stand.count(HandleCount.RESPONSES_INDEX_NOT_RESPONSIBLE)).isEqualTo(1);
    }

    @Test
    void theRestGoesToTheService() throws Malformed {
        expect(question("10.5/some", List.of(), List.of()), ResponseCode.CHALLENGE, false);
        expect(question("10.5/one", List.of(), List.of(), OpFlag.CERT), ResponseCode.SUCCESS, false);
        expect(question("10.5/one", List.of(), List.of(), OpFlag.RRDG), ResponseCode.SUCCESS, false);
        expect(question("0.NA/10.6.1"), ResponseCode.PREFIX_REFERRAL, false);
        expect(question("0.NA/10.7"), ResponseCode.HANDLE_NOT_FOUND, false);
        expect(question("0.SITE/status"), ResponseCode.VALUES_NOT_FOUND, false);
        expect(question("10.5"), ResponseCode.SUCCESS, false);
        assertThat(stand.count(HandleCount.SERVICE_REQUESTS)).isEqualTo(7);
    }

    @Test
    void theCallersSpellingIsEchoed() throws Malformed {
        assertThat(ask(question("10.5/oNe")).body())
                .isInstanceOfSatisfying(
                        MessageBody.Values.class,
                        values -> assertThat(values.handle()).isEqualTo(Handle.of("10.5/oNe")));
    }

    @Test
    void prefixesThatComeAndGoAreSeen() throws IOException, Malformed {
        stand.put("10.8/x", HandleValue.of(1, "URL", "u"));
        expect(question("10.8/x"), ResponseCode.NOT_RESPONSIBLE, true);
        stand.homes.home(Handle.of("0.NA/10.8"));
        expect(question("10.8/x"), ResponseCode.SUCCESS, true);
        stand.homes.unhome(Handle.of("0.NA/10.8"));
        expect(question("10.8/x"), ResponseCode.NOT_RESPONSIBLE, true);
    }

    @Test
    void longAnswersLeaveInPackets() throws Malformed {
        List<byte[]> packets = stand.ask(question("10.5/big"));
        assertThat(packets).hasSizeGreaterThan(8);
        assertThat(packets.subList(0, packets.size() - 1)).allMatch(each -> each.length == MessageFragmenter.BYTES_MAX);
        HandleMessage whole = HandleMessage.read(HandleDoorStand.joined(packets));
        assertThat(((MessageBody.Values) whole.body()).values()).hasSize(40);
        assertThat(stand.count(HandleCount.FRAGMENTED_RESPONSES)).isEqualTo(1);
    }

    @Test
    void whatNoMessageHoldsIsRefusedByTheService() throws Malformed {
        // 1000 values of 270 bytes are more than a message may have.
        List<byte[]> packets = stand.ask(question("10.5/huge"));
        assertThat(packets).hasSize(1);
        assertThat(HandleMessage.read(packets.getFirst()).responseCode()).contains(ResponseCode.ERROR);
    }

    @Test
    void requestsInPacketsAreJoinedInAnyOrder() throws Malformed {
        List<Integer> wanted = IntStream.range(1, 300).boxed().toList();
        byte[] whole = question("10.5/one", wanted, List.of(), OpFlag.PUBL);
        whole[2] |= 0x20;
        List<byte[]> packets = MessageFragmenter.of(whole);
        assertThat(packets).hasSize(3);
        List<byte[]> answers = new ArrayList<>();
        for (byte[] each : packets.reversed()) {
            assertThat(answers).isEmpty();
            answers.addAll(stand.ask(each));
        }
        HandleMessage answer = HandleMessage.read(HandleDoorStand.joined(answers));
        assertThat(answer.envelope().split()).isTrue();
        assertThat(((MessageBody.Values) answer.body()).values()).hasSize(2);
        assertThat(stand.door.packetCounts().get(MessagePacketCount.REASSEMBLIES_COMPLETE)).isEqualTo(1);
    }

    @Test
    void whatIsBeingAnsweredIsNotAnsweredTwice() {
        byte[] question = question("10.5/some", List.of(), List.of());
        assertThat(stand.take(question, question, question)).isEmpty();
        assertThat(stand.count(HandleCount.DROPS_REPEATED)).isEqualTo(2);
        assertThat(stand.ask()).hasSize(1);
        assertThat(stand.ask(question)).as("asked again later").hasSize(1);
    }

    @Test
    void noMoreCallsThanTheBound() throws IOException {
        try (HandleDoorStand small = new HandleDoorStand(SITE, new HandleDoorSettings(false, 2, 0), settings -> settings)) {
            fill(small);
            for (int i = 0; i < 5; i++) {
                small.port = 5000 + i;
                small.take(question("10.5/some", List.of(), List.of()));
            }
            assertThat(small.tasks).hasSize(2);
            assertThat(small.count(HandleCount.DROPS_PENDING_MAX)).isEqualTo(3);
        }
    }

    @Test
    void aNetworkIsNotFlooded() throws IOException {
        try (HandleDoorStand poor = new HandleDoorStand(SITE, new HandleDoorSettings(false, 2, 10_000), settings -> settings)) {
            fill(poor);
            int answered = 0;
            for (int i = 0; i < 100; i++) {
                answered += poor.ask(question("10.5/big")).isEmpty() ? 0 : 1;
            }
            assertThat(answered).isBetween(2, 5);
            assertThat(poor.count(HandleCount.DROPS_RATE_LIMIT)).isEqualTo(100 - answered);
            assertThat(poor.ask(question("10.5/one"))).as("a short answer").hasSize(1);
            poor.now += 10_000;
            assertThat(poor.ask(question("10.5/big"))).as("after a while").isNotEmpty();
        }
    }

    @Test
    void moreThanCanWaitIsDropped() throws IOException {
        try (HandleDoorStand rich = new HandleDoorStand(SITE, new HandleDoorSettings(false, 2, 0), settings -> settings)) {
            fill(rich);
            byte[] question = question("10.5/big");
            byte[][] burst = IntStream.range(0, 1000).mapToObj(_ -> question).toArray(byte[][]::new);
            rich.take(burst);
            assertThat(rich.count(HandleCount.DROPS_FRAGMENT_QUEUE_FULL)).isPositive();
            assertThat(rich.count(HandleCount.FRAGMENTED_RESPONSES) + rich.count(HandleCount.DROPS_FRAGMENT_QUEUE_FULL))
                    .isEqualTo(1000);
            assertThat(rich.ask(question)).isNotEmpty();
        }
    }

    @Test
    void answersAreNotAnswered() {
        byte[] answer = stand.ask(question("10.5/one")).getFirst();
        assertThat(stand.ask(answer)).isEmpty();
        assertThat(stand.count(HandleCount.DROPS_RESPONSE)).isEqualTo(1);
    }

    /** What is answered at once is what the service would have answered, byte for byte. */
    @Test
    void theFastAnswerIsTheServicesOwn() {
        SplittableRandom random = new SplittableRandom(7);
        String[] handles = {
            "10.5/one", "10.5/ONE", "10.5/some", "10.5/secret", "10.5/big", "10.5/none", "10.9/x", "0.NA/10.5", "10.5/", "//", ""
        };
        String[] types = {"URL", "url.", "EMAIL", "DESC", "HS_", "HS_SECKEY", "", "."};
        int atOnce = 0;
        for (int i = 0; i < 20_000; i++) {
            List<Integer> indexes = IntStream.range(0, random.nextInt(3))
                    .mapToObj(_ -> random.nextInt(4))
                    .toList();
            List<String> wanted = IntStream.range(0, random.nextInt(3))
                    .mapToObj(_ -> types[random.nextInt(types.length)])
                    .toList();
            byte[] question = question(handles[random.nextInt(handles.length)], indexes, wanted, OpFlag.PUBL);
            question[0] = (byte) random.nextInt(1, 4);
            question[1] = (byte) random.nextInt(14);
            question[2] = (byte) random.nextInt(4);
            question[3] = (byte) random.nextInt(14);
            question[28] = (byte) (random.nextInt() & 0x9f);
            question[29] = (byte) (random.nextInt() & 0x7f);
            question[34] = (byte) random.nextInt();
            List<byte[]> fast = stand.take(question);
            if (fast.isEmpty()) {
                stand.ask();
            } else {
                atOnce++;
                assertThat(HandleDoorStand.joined(fast)).isEqualTo(stand.askOverTcp(question));
            }
        }
        assertThat(atOnce).isGreaterThan(10_000);
    }

    @Test
    void anAuthoritativeAnswerOfASharedStoreIsOutOfTheStore() throws Exception {
        expect(question("10.5/one", List.of(), List.of(), OpFlag.PUBL, OpFlag.AUTH), ResponseCode.SUCCESS, true);
        List<Name> asked = new ArrayList<>();
        try (HandleDoorStand other = new HandleDoorStand(SITE, HandleDoorSettings.usual(), each -> each, own -> shared(own, asked))) {
            fill(other);
            asked.clear();
            assertThat(other.take(question("10.5/one"))).as("answered at once").hasSize(1);
            assertThat(asked).isEmpty();
            byte[] authoritative = question("10.5/one", List.of(), List.of(), OpFlag.PUBL, OpFlag.AUTH);
            HandleMessage answer = HandleMessage.read(HandleDoorStand.joined(other.ask(authoritative)));
            assertThat(answer.responseCode()).contains(ResponseCode.SUCCESS);
            assertThat(asked).containsExactly(Handle.of("10.5/one").name(false));
        }
    }

    /** Returns a store that others share, and notes which records are asked for past its index. */
    private static RecordStore shared(RecordStore own, List<Name> asked) {
        InvocationHandler handler = (_, method, arguments) -> {
            if (method.getName().equals("get")) {
                asked.add((Name) arguments[0]);
            }
            return method.getName().equals("isShared") ? true : method.invoke(own, arguments);
        };
        return (RecordStore) Proxy.newProxyInstance(RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, handler);
    }
}
