package io.guidepost.gnrs.relay;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Clients who look up names at the servers of a {@link WriteStand}. */
final class LookupStand {
    final WriteStand servers;
    private int clients;

    LookupStand(int count, ReplicationSettings settings) {
        servers = new WriteStand(count, settings);
    }

    LookupStand(int count, ReplicationSettings settings, GnrsSettings door, int v1) {
        servers = new WriteStand(count, settings, door, v1);
    }

    /** A client that waits for one answer. */
    final class Asked {
        final InetSocketAddress client;
        final InetSocketAddress server;

        Asked(InetSocketAddress client, InetSocketAddress server) {
            this.client = client;
            this.server = server;
        }

        /** The bytes of the answer, or null if none came. */
        byte @Nullable [] bytes() {
            List<byte[]> answers = servers.sentTo(client);
            if (answers.size() > 1) {
                throw new AssertionError(answers.size() + " answers to one question");
            }
            return answers.isEmpty() ? null : answers.getFirst();
        }

        GnrsMessage.LookupResponse answer() {
            byte[] bytes = bytes();
            if (bytes == null) {
                throw new AssertionError("no answer came");
            }
            try {
                return (GnrsMessage.LookupResponse) GnrsMessage.read(bytes);
            } catch (Malformed e) {
                throw new AssertionError("an answer is refused by its codec", e);
            }
        }

        /** The ports of the places told, in order; or "failed". */
        String told() {
            GnrsMessage.LookupResponse answer = answer();
            if (answer.code() != GnrsMessage.Code.SUCCESS) {
                return "failed";
            }
            Set<String> places = new TreeSet<>();
            for (Binding each : answer.bindings()) {
                places.add(text(each.locator()));
            }
            return String.join(" ", places);
        }
    }

    static String text(Locator locator) {
        byte[] data = locator.data();
        return locator.type() == Locator.Type.GUID.code()
                ? "guid " + Guid.of(data).high()
                : Integer.toString((data[4] & 0xff) << 8 | data[5] & 0xff);
    }

    /** Sends a question; the answer comes in later ticks. */
    Asked send(WriteStand.Node node, Guid guid, boolean recursive) {
        Asked asked = new Asked(WriteStand.client(20_000 + ++clients), node.address);
        byte[] question = question(clients, guid, recursive);
        servers.send(new WriteStand.Datagram(asked.client, node.address, question));
        return asked;
    }

    static byte[] question(int id, Guid guid, boolean recursive) {
        List<GnrsOption> options = new ArrayList<>();
        if (recursive) {
            options.add(GnrsOption.recursion(true));
        }
        return new GnrsMessage.Lookup(id, GnrsMessage.noOrigin(), guid, options).write();
    }

    /** Sends a recursive question and lets time pass until it is answered, at most so many milliseconds. */
    Asked ask(WriteStand.Node node, Guid guid, int millisMax) {
        Asked asked = send(node, guid, true);
        for (int i = 0; i < millisMax && asked.bytes() == null; i++) {
            servers.run(1);
        }
        return asked;
    }

    String told(WriteStand.Node node, Guid guid) {
        return ask(node, guid, 3000).told();
    }

    /** Writes and waits until that is done everywhere. */
    void write(WriteStand.Node node, Guid guid, boolean append, Binding... bindings) {
        WriteStand.Told told = servers.write(node, guid, append, bindings);
        servers.run(30);
        if (!told.done()) {
            throw new AssertionError("a write came to " + told.result);
        }
    }

    /** Datagrams of a type that were sent to a server so far. */
    long sent(int type, WriteStand.Node to) {
        return servers.sent.stream()
                .filter(each -> each.type() == type && each.to().equals(to.address))
                .count();
    }

    long sent(int type) {
        return servers.sent.stream().filter(each -> each.type() == type).count();
    }

    static Locator link(Guid guid) {
        return Locator.of(guid);
    }

    static Binding place(int port, long ttlMillis, long expiryMillis) {
        return new Binding(
                Locator.of(new InetSocketAddress(InetAddress.ofLiteral("10.9.8.7"), port)), ttlMillis, expiryMillis);
    }

    /** The TTLs of an answer, in its order. */
    static List<Long> ttls(GnrsMessage.LookupResponse answer) {
        return answer.option(GnrsOptionType.TTL).isEmpty()
                ? List.of()
                : answer.bindings().stream().map(Binding::ttlMillis).toList();
    }
}
