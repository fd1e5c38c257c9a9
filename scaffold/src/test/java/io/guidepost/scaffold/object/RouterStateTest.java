package io.guidepost.scaffold.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an object router keeps, for how long, and where its bounds are. */
class RouterStateTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private TestRouter there = TestRouter.open();
    private final ObjectKey web = ObjectKey.generate(RANDOM);

    private static void registers(TestHost host, ObjectKey object, int port, String name) {
        assertThat(host.ask(host.register(object, port, 0, 1, 0, name))).isEqualTo(MessageType.REGISTER_ACK);
    }

    private TestHost serving(int address) throws Malformed {
        TestHost host = TestHost.joined(there, address);
        registers(host, web, 8080, "web");
        assertThat(host.answer.has(Tlv.REASON)).isFalse();
        return host;
    }

    private Guid instance(TestHost host, int port) {
        return web.delegate(host.guid(), 0).instance(TestHost.TCP, port);
    }

    private List<Locator> bound(Guid guid) throws IOException {
        return there.store.get(Name.of(guid)).map(Record::bindings).orElse(List.of()).stream().map(Binding::locator).toList();
    }

    private long written() {
        return there.store.status().writes();
    }

    @Test
    void whatIsNewIsAcknowledgedWhenTheDiskHasIt() throws Exception {
        TestHost host = new TestHost(there, 1).greet();
        there.writes = false;
        assertThat(host.send(host.join(0, host.at))).isEmpty();
        there.writes = true;
        there.commit();
        assertThat(host.readNext()).isEqualTo(MessageType.JOIN_ACK);
        assertThat(host.answer.number(Tlv.LEASE)).isEqualTo(10_000);
        there.writes = false;
        assertThat(host.send(host.register(web, 8080, 0, 1, 0, ""))).isEmpty();
        there.writes = true;
        there.commit();
        assertThat(host.readNext()).isEqualTo(MessageType.REGISTER_ACK);
        assertThat(host.answer.guid(Tlv.INSTANCE)).isEqualTo(instance(host, 8080));
        assertThat(host.answer.number(Tlv.LEASE)).isEqualTo(10_000);
    }

    @Test
    void whatIsRenewedIsNotWritten() throws Exception {
        TestHost host = serving(1);
        long before = written();
        there.writes = false;
        for (int i = 0; i < 10; i++) {
            there.now += 5_000;
            assertThat(host.ask(host.join(0, host.at))).isEqualTo(MessageType.JOIN_ACK);
            registers(host, web, 8080, i % 2 == 0 ? "" : "web");
        }
        there.writes = true;
        there.commit();
        assertThat(written()).isEqualTo(before);
    }

    @Test
    void whatTheDiskRefusesIsNotAcknowledgedAndGetsNoFlow() throws Exception {
        TestHost host = TestHost.joined(there, 1);
        there.refuses = true;
        registers(host, web, 8080, "web");
        assertThat(host.answer.reason()).isEqualTo(Reason.NOT_STORED);
        assertThat(there.router.object(web.guid())).isNull();
        assertThat(there.router.named("web")).isNull();
        host.ask(host.join(1, new HostLocator(0, 0xffff0a000001L, 5500)));
        assertThat(host.answer.reason()).isEqualTo(Reason.NOT_STORED);
        there.refuses = false;
        host.ask(host.join(1, new HostLocator(0, 0xffff0a000001L, 5500)));
        assertThat(host.answer.has(Tlv.REASON)).isFalse();
        assertThat(bound(host.guid())).hasSize(2);
        there.store.close();
        registers(host, web, 8080, "web");
        assertThat(host.answer.reason()).as("the queue takes nothing").isEqualTo(Reason.TOO_MANY);
        assertThat(there.count(ObjectCount.RESPONSES_WRITES_MAX)).isEqualTo(1);
    }

    @Test
    void clientsOfGnrsFindObjectsAndHosts() throws Exception {
        TestHost host = serving(1);
        TestHost second = serving(2);

        assertThat(bound(web.guid())).containsExactly(Locator.of(instance(host, 8080)), Locator.of(instance(second, 8080)));
        assertThat(bound(instance(host, 8080))).containsExactly(Locator.of(host.guid()));
        assertThat(bound(host.guid())).containsExactly(Locator.parse("192.0.2.1:5500"));
        long before = written();
        host.ask(host.join(1, new HostLocator(0, 0xffff0a000001L, 5500)));
        assertThat(bound(host.guid())).containsExactly(Locator.parse("192.0.2.1:5500"), Locator.parse("10.0.0.1:5500"));
        assertThat(written() - before).as("the host's record, and what follows from it").isEqualTo(2);
        second.ask(second.unregister(web, 8080));
        assertThat(bound(web.guid())).containsExactly(Locator.of(instance(host, 8080)));
        assertThat(bound(instance(second, 8080))).isEmpty();
        host.begin(MessageType.LEAVE, 0, 0, 0);
        host.ask(host.sealed());
        there.router.expire();
        there.commit();
        assertThat(bound(web.guid())).isEmpty();
        assertThat(bound(host.guid())).isEmpty();
        assertThat(there.router.hosts()).isEqualTo(1);
    }

    /** Without an answer of its host an instance is the last resort, and a flow cannot be sealed to it. */
    @Test
    void whatWasRegisteredBeforeARestartIsSuspectedUntilItIsHeard() throws Exception {
        TestHost old = serving(1);
        TestHost other = serving(2);
        there = there.restarted();
        assertThat(there.router.instances()).containsEntry(InstanceState.UNHEARD, 2);
        assertThat(there.router.viewInstances(10)).extracting(each -> each.offer().name()).containsOnly("web");
        TestHost client = TestHost.joined(there, 3);
        client.ask(client.resolve(web.guid()));
        assertThat(client.answer.guid(Tlv.INSTANCE)).isIn(instance(old, 8080), instance(other, 8080));
        assertThat(client.ask(client.syn(MessageType.SYN, web.guid(), 42, 0))).isEqualTo(MessageType.RESET);

        TestHost heard = new TestHost(there, 2, other.key).greet();
        heard.ask(heard.join(0, heard.at));
        long before = written();
        assertThat(heard.hears(client.send(client.syn(MessageType.SYN, web.guid(), 43, 0)))).as("its host has greeted").isTrue();
        registers(heard, web, 8080, "web");
        assertThat(written()).as("nothing is new").isEqualTo(before);
        for (int flow = 0; flow < 20; flow++) {
            client.begin(MessageType.RESOLVE, 0, flow, 0).bytes(Tlv.NAME, new byte[] {'w', 'e', 'b'});
            client.ask(client.sealed());
            assertThat(client.answer.guid(Tlv.INSTANCE)).isEqualTo(instance(other, 8080));
        }
        there.now += 30_001;
        assertThat(there.router.instances()).containsEntry(InstanceState.GONE, 2);
        there.now += 300_000;
        there.router.expire();
        there.commit();
        assertThat(bound(old.guid())).isEmpty();
        assertThat(there.restarted().router.objects()).isZero();
    }

    @Test
    void aNameIsNotKeptForWhatIsRefused() throws Exception {
        there = TestRouter.of(10, 1, "::/0");
        TestHost host = TestHost.joined(there, 1);
        ObjectKey second = ObjectKey.generate(RANDOM);
        registers(host, web, 80, "");
        registers(host, second, 80, "mail");
        assertThat(host.answer.reason()).isEqualTo(Reason.TOO_MANY);
        assertThat(there.count(ObjectCount.RESPONSES_OBJECTS_MAX)).isEqualTo(1);
        assertThat(there.router.named("mail")).isNull();
        registers(host, web, 80, "mail");
        assertThat(host.answer.has(Tlv.REASON)).as("it is free").isFalse();
        registers(host, web, 80, "www");
        assertThat(host.answer.reason()).as("a second one").isEqualTo(Reason.TOO_MANY);
        assertThat(there.router.named("www")).isNull();
        host.ask(host.unregister(web, 80));
        registers(host, second, 80, "mail");
        assertThat(host.answer.has(Tlv.REASON)).as("it is free again").isFalse();
    }

    /** The name was in memory and, on the disk, with the instance alone that had brought it. */
    @Test
    void aNameThatAnotherInstanceHasBroughtStaysWithThoseThatAreRenewed() throws Exception {
        TestHost first = TestHost.joined(there, 1);
        TestHost second = TestHost.joined(there, 2);
        registers(first, web, 80, "");
        registers(second, web, 80, "web");
        registers(first, web, 80, "");
        second.ask(second.unregister(web, 80));
        assertThat(there.router.named("web")).isEqualTo(web.guid());
        assertThat(there.restarted().router.named("web")).isEqualTo(web.guid());
        first.ask(first.unregister(web, 80));
        assertThat(there.router.named("web")).isNull();
    }

    @Test
    void hostsHaveABoundAndThoseThatOnlyGreetAreForgottenSoon() throws Exception {
        there = TestRouter.of(2, 1, "::/0");
        TestHost.joined(there, 1);
        new TestHost(there, 2).greet();
        TestHost third = new TestHost(there, 3);
        third.ask(third.hello(new byte[0]));
        assertThat(third.send(third.hello(third.answer.bytes(Tlv.COOKIE)))).isEmpty();
        assertThat(there.count(ObjectCount.DROPS_HOSTS_MAX)).isEqualTo(1);
        there.now += 30_001;
        there.router.expire();
        assertThat(there.router.hosts()).isEqualTo(1);
        TestHost.joined(there, 3);
    }

    /** Public keys are no secret: another host may greet with those that a host had before, and send what it has recorded then. */
    @Test
    void whatWasRecordedIsRefusedAfterAnotherGreeting() throws Exception {
        TestHost host = TestHost.joined(there, 1);
        byte[] recorded = host.join(1, host.at);
        host.ask(recorded);
        TestHost later = new TestHost(there, 1, host.key).greet();
        later.ask(later.join(0, later.at));

        TestHost other = new TestHost(there, 9, host.key, host.share).greet();
        assertThat(other.send(recorded)).isEmpty();
        assertThat(there.count(ObjectCount.DROPS_SEAL)).isEqualTo(1);
        assertThat(host.kept().place().locators()).containsExactly(host.at);
        assertThat(later.ask(later.join(1, later.at))).isEqualTo(MessageType.JOIN_ACK);
    }

    @Test
    void aHostThatIsNotAllowedIsRefused() throws Exception {
        TestHost allowed = new TestHost(there, 7);
        there = TestRouter.of(10, 10, "192.0.2.1/32", allowed.guid().toString());
        TestHost byAddress = TestHost.joined(there, 1);
        TestHost byGuid = new TestHost(there, 2, allowed.key).greet();
        assertThat(byGuid.ask(byGuid.join(0, byGuid.at))).isEqualTo(MessageType.JOIN_ACK);
        assertThat(byGuid.answer.has(Tlv.REASON)).isFalse();
        TestHost stranger = new TestHost(there, 3).greet();
        stranger.ask(stranger.join(0, stranger.at));
        assertThat(stranger.answer.reason()).isEqualTo(Reason.NOT_ALLOWED);
        registers(stranger, web, 80, "");
        assertThat(stranger.answer.reason()).isEqualTo(Reason.NOT_ALLOWED);
        registers(byAddress, web, 80, "web");
        assertThat(stranger.ask(stranger.syn(MessageType.SYN, web.guid(), 1, 0))).isEqualTo(MessageType.RESET);
        assertThat(stranger.answer.reason()).isEqualTo(Reason.NOT_ALLOWED);
        stranger.ask(stranger.resolve(web.guid()));
        assertThat(stranger.answer.reason()).isEqualTo(Reason.NOT_ALLOWED);
        stranger.ask(stranger.resolve(byAddress.guid()));
        assertThat(stranger.answer.reason()).isEqualTo(Reason.NOT_ALLOWED);
        assertThat(there.count(ObjectCount.RESPONSES_NOT_ALLOWED)).isEqualTo(5);
        there.router.follow(ObjectSettings.of(AllowedHosts.parse(List.of("::/0", "0.0.0.0/0"))));
        stranger.ask(stranger.join(0, stranger.at));
        assertThat(stranger.answer.has(Tlv.REASON)).isFalse();
    }
}
