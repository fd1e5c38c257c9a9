package io.guidepost.dns;

import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.NamedValues;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records that a stored form makes in a transfer: those of {@link ZoneLookup}, for no client, so that places are in the order of
 * the record and of priority 0, and at no time, so that each is there until the store has removed it. Services are wildcards. Links
 * beside places are left out: what they lead to is another name's, and changes without this one. One thread's.
 */
public final class ZoneRecords {
    /**
     * A record of the zone.
     *
     * @param owner labels with their lengths, without those of the zone
     */
    @SuppressWarnings("ArrayRecordComponent") // Equality is by the bytes.
    public record ZoneRecord(byte[] owner, int type, int ttlSeconds, byte[] data) {
        @Override
        public boolean equals(Object other) {
            return other instanceof ZoneRecord that
                    && type == that.type
                    && ttlSeconds == that.ttlSeconds
                    && Arrays.equals(owner, that.owner)
                    && Arrays.equals(data, that.data);
        }

        @Override
        public int hashCode() {
            return Objects.hash(type, Arrays.hashCode(owner), Arrays.hashCode(data));
        }
    }

    private static final int[] TYPES = {DnsWire.A, DnsWire.AAAA, DnsWire.SRV, DnsWire.TXT, DnsWire.URI, DnsWire.HTTPS};
    private static final byte[] HANDLES = {3, 'h', 'd', 'l'};
    private static final byte[][] SERVICES = {{1, '*', 4, '_', 'u', 'd', 'p'}, {1, '*', 4, '_', 't', 'c', 'p'}};

    private final DnsSettings settings;
    private final PlaceList places = new PlaceList();

    /** Makes records of a zone. */
    public ZoneRecords(DnsSettings settings) {
        this.settings = settings;
    }

    /** Returns the SOA at a serial. */
    public ZoneRecord soa(int serial) {
        byte[] primary = settings.servers().getFirst().wire();
        byte[] zone = settings.zone().wire();
        byte[] mailbox = DnsResponseWriter.mailbox();
        byte[] data = new byte[primary.length + mailbox.length + zone.length + DnsResponseWriter.SOA_NUMBERS_BYTES];
        System.arraycopy(primary, 0, data, 0, primary.length);
        System.arraycopy(mailbox, 0, data, primary.length, mailbox.length);
        System.arraycopy(zone, 0, data, primary.length + mailbox.length, zone.length);
        DnsResponseWriter.numbers(serial, MemorySegment.ofArray(data), primary.length + mailbox.length + zone.length);
        return new ZoneRecord(new byte[0], DnsWire.SOA, DnsLimits.NEGATIVE_TTL_SECONDS, data);
    }

    /** Returns the servers of the zone. */
    public List<ZoneRecord> servers() {
        return settings.servers().stream()
                .map(each -> new ZoneRecord(new byte[0], DnsWire.NS, DnsLimits.ZONE_TTL_SECONDS, each.wire()))
                .toList();
    }

    /** Returns the records that a key and its stored form make; none if there is no form. */
    public List<ZoneRecord> of(byte[] key, byte @Nullable [] image) {
        if (image == null) {
            return List.of();
        }
        return key[0] == Name.Namespace.GUID.code() ? ofName(key, image) : ofHandle(key);
    }

    private List<ZoneRecord> ofName(byte[] key, byte[] image) {
        List<ZoneRecord> records = new ArrayList<>();
        Guid guid = Guid.of(Arrays.copyOfRange(key, 1, key.length));
        byte[] byGuid = OwnerName.of(guid);
        byte[] owner = owner(key, image);
        places.take(MemorySegment.ofArray(image), 0, 0, settings.ttlSeconds());
        if (!places.isEmpty() && !Arrays.equals(owner, byGuid)) {
            records.add(new ZoneRecord(byGuid, DnsWire.CNAME, settings.ttlSeconds(), joined(owner, settings.zone().wire())));
        }
        if (places.isAlias()) {
            byte[] target = OwnerName.of(Guid.read(places.aliasSegment(), places.alias()));
            records.add(new ZoneRecord(owner, DnsWire.CNAME, places.aliasTtl(), joined(target, settings.zone().wire())));
            return records;
        }
        MemorySegment name = MemorySegment.ofArray(joined(owner, settings.zone().wire()));
        for (int type : TYPES) {
            add(type, owner, name, records);
        }
        return records;
    }

    private static byte[] owner(byte[] key, byte[] image) {
        return text(image).map(OwnerName::labels).orElseGet(() -> OwnerName.of(Guid.of(Arrays.copyOfRange(key, 1, key.length))));
    }

    /** Returns the labels that a key's records stand under, without those of the zone; none if there are no records. */
    static List<byte[]> owners(byte[] key, byte @Nullable [] image) {
        if (image == null) {
            return List.of();
        }
        if (key[0] == Name.Namespace.GUID.code()) {
            return RecordImage.bindings(MemorySegment.ofArray(image), 0) == 0 ? List.of() : List.of(owner(key, image));
        }
        return handle(key).map(ZoneRecords::handleOwners).orElse(List.of());
    }

    /** A handle whose suffix has no dot stands behind its prefix as well. */
    private static List<byte[]> handleOwners(String handle) {
        int slash = handle.indexOf('/');
        byte[] whole = joined(OwnerName.labels(handle), HANDLES);
        byte[] other = handle.indexOf('.', slash) < 0
                ? OwnerName.labels(handle.substring(slash + 1) + "." + handle.substring(0, slash))
                : new byte[0];
        return other.length == 0 ? List.of(whole) : List.of(whole, joined(other, HANDLES));
    }

    /** Returns whether it is plain that {@link #owners} is the same for two forms: both have places, and the text follows from the key. */
    static boolean haveSameOwners(byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        if (before == null || after == null) {
            return before == null && after == null;
        }
        return key[0] != Name.Namespace.GUID.code()
                || ((before[1] | after[1]) & RecordImage.VALUES) == 0
                        && RecordImage.bindings(MemorySegment.ofArray(before), 0) > 0
                        && RecordImage.bindings(MemorySegment.ofArray(after), 0) > 0;
    }

    /** Returns the text that a record keeps, if the name is found by it; words keep none. */
    private static Optional<String> text(byte[] image) {
        if ((image[1] & (RecordImage.VALUES | RecordImage.FORM)) != RecordImage.VALUES) {
            return Optional.empty();
        }
        try {
            return NamedValues.text(RecordImage.read(image).values()).filter(OwnerName::isCarried);
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private void add(int type, byte[] owner, MemorySegment name, List<ZoneRecord> records) {
        int nameBytes = (int) name.byteSize();
        int ttl = DnsLimits.TTL_SECONDS_MAX;
        for (int i = 0; i < places.count(); i++) {
            if (RecordData.bytes(type, places, i, nameBytes) != RecordData.NONE) {
                ttl = Math.min(ttl, places.ttl(i));
            }
        }
        for (int i = 0; i < places.count(); i++) {
            int bytes = RecordData.bytes(type, places, i, nameBytes);
            if (bytes == RecordData.NONE || places.isRepeated(i, type)) {
                continue;
            }
            byte[] data = new byte[bytes];
            RecordData.write(type, places, i, name, 0, nameBytes, MemorySegment.ofArray(data), 0);
            records.add(new ZoneRecord(owner, type, ttl, data));
            if (type == DnsWire.SRV) {
                for (byte[] each : SERVICES) {
                    records.add(new ZoneRecord(joined(each, owner), type, ttl, data));
                }
            } else if (type == DnsWire.A || type == DnsWire.AAAA) {
                records.add(new ZoneRecord(joined(label(i), owner), type, placeTtl(i), data));
            }
        }
    }

    private byte[] label(int place) {
        byte[] label = new byte[RecordData.labelBytes(places, place)];
        RecordData.label(places, place, MemorySegment.ofArray(label), 0);
        return label;
    }

    /** Returns the least TTL of all places at the address of one. */
    private int placeTtl(int place) {
        int ttl = places.ttl(place);
        for (int i = 0; i < places.count(); i++) {
            if (places.hasAddressOf(i, place)) {
                ttl = Math.min(ttl, places.ttl(i));
            }
        }
        return ttl;
    }

    /** A handle is another name of the GUID that its places are found under. */
    private List<ZoneRecord> ofHandle(byte[] key) {
        Guid guid = Guid.of(Arrays.copyOf(Sha256.of(Arrays.copyOfRange(key, 1, key.length)), Guid.BYTES));
        byte[] target = joined(OwnerName.of(guid), settings.zone().wire());
        return handle(key).stream()
                .map(each -> new ZoneRecord(joined(OwnerName.labels(each), HANDLES), DnsWire.CNAME, settings.ttlSeconds(), target))
                .toList();
    }

    /** Returns a handle in lower case, if DNS can carry it. */
    private static Optional<String> handle(byte[] key) {
        String handle = new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
        int bytes = OwnerName.labels(handle.toLowerCase(Locale.ROOT)).length;
        boolean carried = bytes > 0
                && bytes <= DnsLimits.NAME_BYTES_MAX - DnsLimits.ZONE_BYTES_MAX - HANDLES.length
                && handle.equals(handle.toUpperCase(Locale.ROOT));
        return carried ? Optional.of(handle.toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
