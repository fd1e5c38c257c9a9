package io.guidepost.scaffold.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An object router, from the view of hosts. */
class ObjectDoorTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TestRouter there = TestRouter.open();
    private final ObjectRouter router = there.router;
    private final ObjectKey web = ObjectKey.generate(RANDOM);

    private long count(ObjectCount count) {
        return there.count(count);
    }

    private Guid instance(TestHost host, int port) {
        return web.delegate(host.guid(), 0).instance(TestHost.TCP, port);
    }

    private TestHost serving(int address, int priority, int weight) throws Malformed {
        TestHost host = TestHost.joined(there, address);
        assertThat(host.ask(host.register(web, 8080, priority, weight, 0, "web"))).isEqualTo(MessageType.REGISTER_ACK);
        assertThat(host.answer.has(Tlv.REASON)).isFalse();
        return host;
    }

    @Test
    void nothingIsKeptOfAStrangerBeforeItsCookie() {
        TestHost host = new TestHost(there, 1);
        byte[] hello = host.hello(new byte[0]);

        assertThat(host.ask(hello)).isEqualTo(MessageType.RETRY);
        assertThat(host.answer.length()).isLessThan(hello.length);
        assertThat(router.host(host.guid())).isNull();
        assertThat(host.ask(host.hello(new byte[24]))).as("a cookie that was not given").isEqualTo(MessageType.RETRY);
        assertThat(router.host(host.guid())).isNull();
    }

    @Test
    void noAnswerToAStrangerIsLongerThanTheQuestion() {
        TestHost host = new TestHost(there, 1);
        byte[] hello = host.hello(new byte[0]);
        byte[] bare = Arrays.copyOf(hello, 28 + 35 + 35 + 11);

        assertThat(host.send(bare)).isEmpty();
        assertThat(count(ObjectCount.DROPS_SHORT)).isEqualTo(1);
    }

    @Test
    void aGreetingThatComesAgainChangesNothing() throws Malformed {
        TestHost host = TestHost.joined(there, 1);
        var agreed = host.kept().association();
        host.greet();

        assertThat(agreed).isNotNull();
        assertThat(host.kept().association()).isSameAs(agreed);
    }

    /** The public key of a host is no secret. */
    @Test
    void aGreetingInTheNameOfAnotherChangesNothing() throws Malformed {
        TestHost host = TestHost.joined(there, 1);
        TestHost liar = new TestHost(there, 2, host.key);
        liar.greet();

        assertThat(host.ask(host.join(1, host.at))).isEqualTo(MessageType.JOIN_ACK);
        assertThat(host.answer.has(Tlv.REASON)).isFalse();
    }

    @Test
    void aHostThatHasStartedAnewCountsItsMovesFromZero() throws Malformed {
        TestHost host = TestHost.joined(there, 1);
        host.ask(host.join(5, host.at));
        TestHost again = new TestHost(there, 1, host.key).greet();
        again.ask(again.join(0, again.at));

        assertThat(again.answer.has(Tlv.REASON)).isFalse();
        assertThat(host.send(host.join(6, host.at))).as("of before").isEmpty();
        assertThat(count(ObjectCount.DROPS_SEAL)).isEqualTo(1);
    }

    @Test
    void aCookieIsGoodAtItsAddressAlone() {
        TestHost host = new TestHost(there, 1);
        host.ask(host.hello(new byte[0]));
        byte[] cookie = host.answer.bytes(Tlv.COOKIE);
        TestHost other = new TestHost(there, 2);

        assertThat(other.ask(other.hello(cookie))).isEqualTo(MessageType.RETRY);
    }

    @Test
    void greetingsBeyondTheBoundOfASecondAreDropped() throws Malformed {
        for (int i = 0; i < 100; i++) {
            new TestHost(there, i).greet();
        }
        TestHost late = new TestHost(there, 101);
        late.ask(late.hello(new byte[0]));

        assertThat(late.send(late.hello(late.answer.bytes(Tlv.COOKIE)))).isEmpty();
        assertThat(count(ObjectCount.DROPS_HELLO_RATE)).isEqualTo(1);
    }

    @Test
    void aHostThatTheRouterHasForgottenIsToldToGreetAgain() throws Malformed {
        TestHost host = new TestHost(there, 1).greet();
        byte[] join = host.join(0, host.at);
        TestHost same = new TestHost(there.restarted(), 1);

        assertThat(same.ask(join)).isEqualTo(MessageType.RETRY);
        assertThat(same.answer.length()).isLessThanOrEqualTo(join.length);
    }

    @Test
    void messagesAreHeardOnceAndNotFromOthers() throws Malformed {
        TestHost host = new TestHost(there, 1).greet();
        byte[] join = host.join(0, host.at);
        byte[] changed = join.clone();
        changed[60] ^= 1;

        assertThat(host.send(join)).isNotEmpty();
        assertThat(host.send(join)).isEmpty();
        assertThat(host.send(changed)).isEmpty();
        assertThat(count(ObjectCount.DROPS_SEAL)).isEqualTo(2);
    }

    @Test
    void aHostLearnsWhereItIsSeen() throws Malformed {
        TestHost host = new TestHost(there, 1).greet();
        HostLocator inside = new HostLocator(0, 0xffff0a000001L, 5500);
        host.ask(host.join(3, inside));

        assertThat(HostLocator.of(new HostLocator(0, 0xffffc0000201L, 5500).toSocketAddress())).isEqualTo(host.at);
        assertThat(host.kept().place().locators()).containsExactly(host.at, inside);
    }

    @Test
    void aLateJoinDoesNotWin() throws Malformed {
        TestHost host = TestHost.joined(there, 1);
        host.ask(host.join(5, host.at));
        assertThat(host.answer.has(Tlv.REASON)).isFalse();
        host.ask(host.join(4, new HostLocator(0, 0xffff0a000001L, 5500)));

        assertThat(host.answer.reason()).isEqualTo(Reason.OLD_EPOCH);
        assertThat(host.kept().place().epoch()).isEqualTo(5);
    }

    @Test
    void theFirstPacketOfAFlowGoesOnToTheInstance() throws Malformed {
        TestHost server = serving(1, 0, 1);
        TestHost client = TestHost.joined(there, 2);
        byte[] forwarded = client.send(client.syn(MessageType.SYN, web.guid(), 42, 0));

        assertThat(client.answered).isEqualTo(server.at);
        assertThat(server.hears(forwarded)).isTrue();
        assertThat(server.answer.type()).isEqualTo(MessageType.SYN);
        assertThat(server.answer.flags()).isEqualTo(ControlMessage.FLAG_REPEATABLE);
        assertThat(server.answer.senderFlow()).isEqualTo(42);
        assertThat(server.answer.guid(Tlv.HOST)).isEqualTo(client.guid());
        assertThat(server.answer.guid(Tlv.VIA)).isEqualTo(router.own.guid());
        assertThat(server.answer.guid(Tlv.INSTANCE)).isEqualTo(instance(server, 8080));
        assertThat(HostKey.guid(server.answer.bytes(Tlv.HOST_KEY))).isEqualTo(client.guid());
        assertThat(server.answer.bytes(Tlv.PACKET)).hasSize(60);
        assertThat(server.answer.has(Tlv.OBSERVED)).isTrue();
        assertThat(count(ObjectCount.RESPONSES_FORWARDED)).isEqualTo(1);
    }

    @Test
    void whatNobodyServesIsRefusedWithTheReason() throws Malformed {
        TestHost client = TestHost.joined(there, 2);

        assertThat(client.ask(client.syn(MessageType.SYN, web.guid(), 42, 0))).isEqualTo(MessageType.RESET);
        assertThat(client.answer.reason()).isEqualTo(Reason.NO_OBJECT);
        assertThat(client.answer.receiverFlow()).isEqualTo(42);
        TestHost server = serving(1, 0, 1);
        server.ask(server.register(web, 8080, 0, 1, ControlMessage.FLAG_DRAIN, ""));
        assertThat(client.ask(client.syn(MessageType.SYN, web.guid(), 42, 0))).isEqualTo(MessageType.RESET);
        assertThat(client.answer.reason()).isEqualTo(Reason.NO_INSTANCE);
    }

    @Test
    void onlyTheObjectsKeyDecidesWhoServesIt() throws Malformed {
        TestHost host = TestHost.joined(there, 1);
        TestHost other = TestHost.joined(there, 2);
        ObjectKey foreign = ObjectKey.generate(RANDOM);
        byte[] wrong = web.delegate(host.guid(), there.now / 1_000 + 100).bytes();
        wrong[123] ^= 1;

        host.ask(host.register(web.delegate(other.guid(), there.now / 1_000 + 100), 8080, 0, 1, 0, ""));
        assertThat(host.answer.reason()).as("another host's").isEqualTo(Reason.NOT_ALLOWED);
        host.ask(host.register(web.delegate(host.guid(), there.now / 1_000), 8080, 0, 1, 0, ""));
        assertThat(host.answer.reason()).as("over").isEqualTo(Reason.NOT_ALLOWED);
        host.ask(host.register(Delegation.read(wrong), 8080, 0, 1, 0, ""));
        assertThat(host.answer.reason()).as("not signed").isEqualTo(Reason.NOT_ALLOWED);
        assertThat(router.object(web.guid())).isNull();
        host.ask(host.register(foreign, 8080, 0, 1, 0, "web"));
        assertThat(host.answer.has(Tlv.REASON)).isFalse();
        host.ask(host.register(web, 8080, 0, 1, 0, "WEB"));
        assertThat(host.answer.reason()).as("the name is another object's").isEqualTo(Reason.NAME_TAKEN);
    }

    @Test
    void aFlowThatLostAnInstanceGetsAnother() throws Malformed {
        TestHost first = serving(1, 0, 1);
        TestHost second = serving(2, 9, 1);
        TestHost client = TestHost.joined(there, 3);

        assertThat(first.hears(client.send(client.syn(MessageType.SYN, web.guid(), 42, 0)))).isTrue();
        assertThat(second.hears(client.send(client.syn(MessageType.RSYN, web.guid(), 42, 1, instance(first, 8080))))).isTrue();
        assertThat(first.hears(client.send(client.syn(MessageType.SYN, web.guid(), 43, 0)))).as("one report is no proof").isTrue();
        client.send(client.syn(MessageType.RSYN, web.guid(), 43, 1, instance(first, 8080)));
        assertThat(second.hears(client.send(client.syn(MessageType.SYN, web.guid(), 44, 0)))).as("two flows lost it").isTrue();
        first.ask(first.register(web, 8080, 0, 1, 0, ""));
        assertThat(first.hears(client.send(client.syn(MessageType.SYN, web.guid(), 45, 0)))).as("it has spoken since").isTrue();
    }

    @Test
    void anInstanceWhoseLeaseIsOverGetsNoFlow() throws Malformed {
        TestHost server = serving(1, 0, 1);
        TestHost client = TestHost.joined(there, 2);
        there.now += 10_000;
        assertThat(client.ask(client.syn(MessageType.SYN, web.guid(), 42, 0))).isEqualTo(MessageType.RESET);

        assertThat(router.expire()).as("not yet forgotten").isZero();
        there.now += 300_001;
        assertThat(router.expire()).isEqualTo(1);
        assertThat(router.object(web.guid())).isNull();
        assertThat(router.named("web")).isNull();
        assertThat(router.host(server.guid())).isNull();
    }

    @Test
    void anInstanceThatIsTakenBackGetsNoFlow() throws Malformed {
        TestHost server = serving(1, 0, 1);
        TestHost client = TestHost.joined(there, 2);
        client.begin(MessageType.UNREGISTER, 0, 0, 0).guid(Tlv.OBJECT, web.guid()).guid(Tlv.INSTANCE, instance(server, 8080));
        client.ask(client.sealed());
        assertThat(server.hears(client.send(client.syn(MessageType.SYN, web.guid(), 1, 0)))).as("by another host").isTrue();
        server.ask(server.unregister(web, 8080));

        assertThat(client.ask(client.syn(MessageType.SYN, web.guid(), 2, 0))).isEqualTo(MessageType.RESET);
        assertThat(client.answer.reason()).isEqualTo(Reason.NO_OBJECT);
        assertThat(router.named("web")).as("its name is free").isNull();
    }

    /** It is told of a drained instance, of one that is taken back, and of one whose host is silent. */
    @Test
    void aClientIsToldOnceThatItsInstanceIsGone() throws Malformed {
        TestHost server = TestHost.joined(there, 1);
        TestHost client = TestHost.joined(there, 2);
        for (int i = 0; i < 3; i++) {
            server.ask(server.register(web, 8080, 0, 1, 0, "web"));
            assertThat(server.hears(client.send(client.syn(MessageType.SYN, web.guid(), i, 0)))).isTrue();
            switch (i) {
                case 0 -> server.ask(server.register(web, 8080, 0, 1, ControlMessage.FLAG_DRAIN, "web"));
                case 1 -> server.ask(server.unregister(web, 8080));
                default -> {
                    there.now += 11_000;
                    client.ask(client.join(0, client.at));
                    router.expire();
                    router.expire();
                }
            }
            assertThat(client.readNext()).isEqualTo(MessageType.NOTICE);
            assertThat(client.answer.guid(Tlv.INSTANCE)).isEqualTo(instance(server, 8080));
            assertThat(client.answer.reason()).isEqualTo(i == 0 ? Reason.DRAINED : Reason.DEAD);
        }
        assertThat(count(ObjectCount.NOTICES_SENT)).isEqualTo(3);
    }

    @Test
    void aFlowGetsTheProgramAtItsPort() throws Malformed {
        TestHost plain = TestHost.joined(there, 1);
        TestHost tls = TestHost.joined(there, 2);
        TestHost client = TestHost.joined(there, 3);
        plain.ask(plain.register(web, 80, 0, 1, 0, ""));
        tls.ask(tls.register(web, 443, 9, 1, 0, ""));
        for (int flow = 0; flow < 20; flow++) {
            client.ask(client.resolve(web.guid(), TestHost.TCP, 443));
            assertThat(client.answer.guid(Tlv.INSTANCE)).isEqualTo(instance(tls, 443));
        }
        client.ask(client.resolve(web.guid(), TestHost.TCP, 8080));
        assertThat(client.answer.guid(Tlv.INSTANCE)).as("none is at it").isEqualTo(instance(plain, 80));
        client.ask(client.resolve(web.guid()));
        assertThat(client.answer.guid(Tlv.INSTANCE)).as("any port").isEqualTo(instance(plain, 80));
        client.ask(client.resolve(web.guid(), 17, 443));
        assertThat(client.answer.reason()).as("another protocol").isEqualTo(Reason.NO_INSTANCE);
        tls.ask(tls.register(web, 443, 9, 1, ControlMessage.FLAG_DRAIN, ""));
        client.ask(client.resolve(web.guid(), TestHost.TCP, 443));
        assertThat(client.answer.reason()).as("another program").isEqualTo(Reason.NO_INSTANCE);
        tls.ask(tls.register(web, 443, 9, 1, 0, ""));
        client.ask(client.resolve(web.guid(), TestHost.TCP, 443));
        assertThat(client.answer.guid(Tlv.INSTANCE)).as("drained no more").isEqualTo(instance(tls, 443));
    }

    /** Both ends of a flow have moved. */
    @Test
    void whereAHostIsCanBeAsked() throws Malformed {
        TestHost moved = TestHost.joined(there, 1);
        TestHost client = TestHost.joined(there, 2);
        HostLocator inside = new HostLocator(0, 0xffff0a000001L, 5500);
        moved.ask(moved.join(1, inside));
        client.ask(client.resolve(moved.guid()));

        assertThat(client.answer.guid(Tlv.OBJECT)).isEqualTo(moved.guid());
        assertThat(client.answer.has(Tlv.INSTANCE)).isFalse();
        assertThat(client.answer.count(Tlv.LOCATOR)).isEqualTo(2);
        assertThat(client.answer.locator(1)).isEqualTo(inside);
        moved.begin(MessageType.LEAVE, 0, 0, 0);
        moved.ask(moved.sealed());
        client.ask(client.resolve(moved.guid()));
        assertThat(client.answer.reason()).isEqualTo(Reason.NO_OBJECT);
    }

    @Test
    void namesAreResolvedToTheObjectAndAnInstance() throws Malformed {
        TestHost server = serving(1, 0, 1);
        TestHost client = TestHost.joined(there, 2);
        client.begin(MessageType.RESOLVE, 0, 0, 0).bytes(Tlv.NAME, new byte[] {'w', 'E', 'b'});

        assertThat(client.ask(client.sealed())).isEqualTo(MessageType.RESOLVED);
        assertThat(client.answer.guid(Tlv.OBJECT)).isEqualTo(web.guid());
        assertThat(client.answer.guid(Tlv.INSTANCE)).isEqualTo(instance(server, 8080));
        assertThat(client.answer.locator(0)).isEqualTo(server.at);
        client.begin(MessageType.RESOLVE, 0, 0, 0).bytes(Tlv.NAME, new byte[] {'x'});
        client.ask(client.sealed());
        assertThat(client.answer.reason()).isEqualTo(Reason.NO_OBJECT);
    }

    @Test
    void flowsAreSharedByWeightAndRepeatedPacketsGoTheSameWay() throws Malformed {
        Map<HostLocator, Integer> given = new HashMap<>();
        TestHost light = serving(1, 5, 1);
        TestHost heavy = serving(2, 5, 3);
        serving(3, 6, 1);
        TestHost client = TestHost.joined(there, 4);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 4_000; i++) {
            long flow = random.nextLong();
            client.send(client.syn(MessageType.SYN, web.guid(), flow, 0));
            given.merge(client.answered, 1, Integer::sum);
        }

        assertThat(given).containsOnlyKeys(light.at, heavy.at);
        assertThat(given.get(light.at)).isBetween(950, 1_050);
    }

    /** Whatever comes, the door answers, forwards or counts. */
    @Test
    void everyDatagramIsAnsweredOrCounted() throws Malformed {
        TestHost server = serving(1, 0, 1);
        TestHost client = TestHost.joined(there, 2);
        SplittableRandom random = new SplittableRandom(7);
        long before = ended();
        int sent = 20_000;
        for (int i = 0; i < sent; i++) {
            byte[] bytes =
                    switch (random.nextInt(4)) {
                        case 0 -> client.syn(MessageType.SYN, web.guid(), random.nextLong(), 0);
                        case 1 -> client.join(0, client.at);
                        case 2 -> server.hello(new byte[24]);
                        default -> new byte[1 + random.nextInt(100)];
                    };
            for (int j = random.nextInt(3); j > 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            client.send(bytes);
        }
        assertThat(ended() - before).isEqualTo(sent);
    }

    private long ended() {
        long all = 0;
        for (ObjectCount each : ObjectCount.values()) {
            all += each.name().startsWith("RESPONSES") || each.name().startsWith("DROPS") ? count(each) : 0;
        }
        return all;
    }
}
