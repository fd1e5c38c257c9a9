package io.guidepost.dns;

import io.guidepost.base.DatagramClassifier;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import java.lang.foreign.MemorySegment;

/** What DNS tells admission control: the name that is asked for, whatever the case of its letters; responses are exempt. */
final class DnsClassifier implements DatagramClassifier {
    private static final long MIX = 0xd6e8feb86659fd93L;
    private static final int PRINTABLE = '~';

    private final DnsQueryFlyweight query = new DnsQueryFlyweight();

    @Override
    public long name(MemorySegment segment, long offset, int length) {
        if (query.parseQuestion(segment, offset, length) != DnsFault.OK) {
            return NO_NAME;
        }
        long name = query.nameBytes();
        for (int i = 0; i < query.nameBytes(); i++) {
            name = Long.rotateLeft((name ^ query.name().get(DnsWire.BYTE, i)) * MIX, Integer.SIZE);
        }
        return name;
    }

    @Override
    public String nameText(MemorySegment segment, long offset, int length) {
        StringBuilder text = new StringBuilder();
        for (int label = 0; label < query.labels(); label++) {
            text.append(label == 0 ? "" : ".");
            for (int i = query.labelAt(label) + 1; i < query.labelAt(label + 1); i++) {
                byte character = query.name().get(DnsWire.BYTE, i);
                text.append(character > ' ' && character <= PRINTABLE ? (char) character : '?');
            }
        }
        return text.toString();
    }

    /** Returns true of responses: secondaries acknowledge NOTIFY with one, and all others are dropped at once. */
    @Override
    public boolean isExempt(MemorySegment segment, long offset, int length) {
        return length >= DnsWire.HEADER_BYTES && segment.get(DnsWire.BYTE, offset + DnsWire.FLAGS) < 0;
    }
}
