package io.guidepost.dns;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** Questions, as a library of others writes them. */
final class DnsQuestions {
    private DnsQuestions() {}

    static Message message(String name, int type) {
        try {
            Message message = Message.newQuery(Record.newRecord(Name.fromString(name + ".names.example."), type, DClass.IN));
            message.getHeader().setID(4660);
            return message;
        } catch (TextParseException e) {
            throw new AssertionError(e);
        }
    }

    /** A question without EDNS, about a name below the zone. */
    static byte[] plain(String name, int type) {
        return message(name, type).toWire();
    }

    /** A question with EDNS. */
    static byte[] extended(String name, int type, EDNSOption... options) {
        Message message = message(name, type);
        message.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(options)), Section.ADDITIONAL);
        return message.toWire();
    }

    /** A question about any name, of any class. */
    static byte[] about(String name, int type, int dclass) {
        try {
            return Message.newQuery(Record.newRecord(Name.fromString(name), type, dclass)).toWire();
        } catch (TextParseException e) {
            throw new AssertionError(e);
        }
    }

    /** A question for what has changed since a serial. */
    static byte[] since(int serial) {
        try {
            Name zone = Name.fromString("names.example.");
            Message message = Message.newQuery(Record.newRecord(zone, Type.IXFR, DClass.IN));
            message.addRecord(new SOARecord(zone, DClass.IN, 0, zone, zone, Integer.toUnsignedLong(serial), 0, 0, 0, 0), Section.AUTHORITY);
            return message.toWire();
        } catch (TextParseException e) {
            throw new AssertionError(e);
        }
    }

    /** What a question is answered with over a connection. */
    static byte[] stream(DnsContext context, byte[] question) {
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 53);
        return requireNonNull(new DnsStreamResponder(context, true).answer(question, peer, DnsDoorFixture.NOW), "it waits");
    }
}
