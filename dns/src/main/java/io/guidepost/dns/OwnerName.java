package io.guidepost.dns;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsName;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Guid;
import io.guidepost.names.NameForm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * What a domain name below a zone stands for. Belongs to one thread; allocates nothing but in {@link #of}.
 *
 * <pre>
 *  zone                                   the apex
 *  orders.prod.zone                       the name orders.prod
 *  6f7264...00.zone                       the name whose GUID these 40 hexadecimal digits are
 *  1234/library.hdl.zone                  the handle 1234/library
 *  library.1234.hdl.zone                  the same, for clients that take no slash: the suffix has no dot then
 *  _any._udp.NAME.zone, _any._tcp.NAME    services of a name (RFC 2782)
 *  ip4-0a010203.NAME.zone                 one place of a name, 10.1.2.3: what SRV records point to; ip6- has 32 digits
 * </pre>
 */
final class OwnerName {
    /** The kinds of names. */
    enum Kind {
        /** Not in the zone. */
        OUTSIDE,
        /** The zone itself. */
        APEX,
        /** A name. */
        NAME,
        /** A handle: another name of a GUID. */
        HANDLE,
        /** A service of a name. */
        SERVICE,
        /** One place of a name. */
        PLACE,
        /** Above services of a name: there if the name is, and without records. */
        SERVICES,
        /** Above handles: there, and without records. */
        HANDLES,
        /** No name can be called so. */
        IMPOSSIBLE
    }

    private static final byte[] HANDLES_LABEL = {3, 'h', 'd', 'l'};
    private static final int PLACE_HEAD_CHARS = 4;
    private static final int IPV4_DIGITS = 2 * Integer.BYTES;
    private static final int IPV6_DIGITS = 4 * Long.BYTES;
    private static final int GUID_DIGITS = 2 * Guid.BYTES;
    private static final int SHA_256_BYTES = 32;

    private final DnsName zone;
    private final MessageDigest digest = Sha256.begin();
    private final byte[] hash = new byte[SHA_256_BYTES];
    private final byte[] text = new byte[DnsLimits.NAME_BYTES_MAX];
    private final MemorySegment guid = Arena.ofAuto().allocate(Guid.BYTES, Long.BYTES);
    private MemorySegment wire = MemorySegment.NULL;
    private int base;
    private boolean belowHandles;
    private long placeHigh;
    private long placeLow;

    OwnerName(DnsName zone) {
        this.zone = zone;
    }

    /** Finds out what a question is about. */
    Kind read(DnsQueryFlyweight query) {
        wire = query.name();
        int relative = query.labels() - zone.labels();
        if (relative < 0 || !isZone(query.labelAt(relative))) {
            return Kind.OUTSIDE;
        }
        if (relative == 0) {
            return Kind.APEX;
        }
        Kind kind = Kind.NAME;
        int first = 0;
        if (relative > 1) {
            kind = kind(query, relative);
            first = kind == Kind.NAME ? 0 : kind == Kind.SERVICE ? 2 : 1;
        }
        base = query.labelAt(first);
        belowHandles = isHandles(query.labelAt(relative - 1));
        if (belowHandles) {
            if (relative == 1) {
                return Kind.HANDLES;
            }
            return kind == Kind.NAME && handle(query, relative - 1) ? Kind.HANDLE : Kind.IMPOSSIBLE;
        }
        if (relative - first == 1 && wire.get(DnsWire.BYTE, base) == GUID_DIGITS && hex(base + 1)) {
            return kind;
        }
        int length = text(query, first, relative);
        if (length == 0) {
            return Kind.IMPOSSIBLE;
        }
        form(length);
        return kind;
    }

    /** Makes the GUID of a text, as {@link NameForm} does. */
    private void form(int length) {
        if (isHandle(length)) {
            upperCase(length);
        } else if (length <= Guid.BYTES) {
            MemorySegment.copy(text, 0, guid, DnsWire.BYTE, 0, length);
            for (int i = length; i < Guid.BYTES; i++) {
                guid.set(DnsWire.BYTE, i, (byte) 0);
            }
            return;
        }
        digest.update(text, 0, length);
        hashed();
    }

    /** Returns whether a text is a handle: digits and dots, or 0.na; slash; suffix. */
    private boolean isHandle(int length) {
        int slash = 0;
        while (slash < length && text[slash] != '/') {
            slash++;
        }
        if (slash == 0 || slash + 1 >= length) {
            return false;
        }
        if (slash == 4 && text[0] == '0' && text[1] == '.' && text[2] == 'n' && text[3] == 'a') {
            return true;
        }
        boolean digit = false;
        for (int i = 0; i < slash; i++) {
            boolean dot = text[i] == '.';
            if (dot ? !digit : text[i] < '0' || text[i] > '9') {
                return false;
            }
            digit = !dot;
        }
        return digit;
    }

    private void upperCase(int length) {
        for (int i = 0; i < length; i++) {
            text[i] = text[i] >= 'a' && text[i] <= 'z' ? (byte) (text[i] - 'a' + 'A') : text[i];
        }
    }

    private void hashed() {
        try {
            digest.digest(hash, 0, SHA_256_BYTES);
        } catch (DigestException e) {
            throw new AssertionError("the array has room for the hash", e);
        }
        MemorySegment.copy(hash, 0, guid, DnsWire.BYTE, 0, Guid.BYTES);
    }

    private boolean isZone(int from) {
        byte[] own = zone.wire();
        for (int i = 0; i < own.length; i++) {
            if (wire.get(DnsWire.BYTE, from + i) != own[i]) {
                return false;
            }
        }
        return true;
    }

    private Kind kind(DnsQueryFlyweight query, int relative) {
        if (isTransport(0)) {
            return Kind.SERVICES;
        }
        if (relative > 2 && wire.get(DnsWire.BYTE, 1) == '_' && isTransport(query.labelAt(1))) {
            return Kind.SERVICE;
        }
        return isPlace() ? Kind.PLACE : Kind.NAME;
    }

    private boolean isTransport(int at) {
        if (wire.get(DnsWire.BYTE, at) != 4 || wire.get(DnsWire.BYTE, at + 1) != '_') {
            return false;
        }
        int letters = wire.get(DnsWire.SHORT, at + 2) << 8 | wire.get(DnsWire.BYTE, at + 4);
        return letters == ('u' << 16 | 'd' << 8 | 'p') || letters == ('t' << 16 | 'c' << 8 | 'p');
    }

    private boolean isHandles(int at) {
        for (int i = 0; i < HANDLES_LABEL.length; i++) {
            if (wire.get(DnsWire.BYTE, at + i) != HANDLES_LABEL[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isPlace() {
        int length = wire.get(DnsWire.BYTE, 0);
        if (length <= PLACE_HEAD_CHARS || wire.get(DnsWire.BYTE, 1) != 'i' || wire.get(DnsWire.BYTE, 2) != 'p'
                || wire.get(DnsWire.BYTE, 4) != '-') {
            return false;
        }
        int version = wire.get(DnsWire.BYTE, 3);
        int digits = 1 + PLACE_HEAD_CHARS;
        if (version == '4' && length == PLACE_HEAD_CHARS + IPV4_DIGITS && isHex(digits, IPV4_DIGITS)) {
            placeHigh = Addresses.IPV4_HIGH;
            placeLow = Addresses.ipv4Low((int) number(digits, IPV4_DIGITS));
            return true;
        }
        if (version == '6' && length == PLACE_HEAD_CHARS + IPV6_DIGITS && isHex(digits, IPV6_DIGITS)) {
            placeHigh = number(digits, IPV6_DIGITS / 2);
            placeLow = number(digits + IPV6_DIGITS / 2, IPV6_DIGITS / 2);
            return true;
        }
        return false;
    }

    private boolean isHex(int at, int digits) {
        for (int i = 0; i < digits; i++) {
            if (Character.digit(wire.get(DnsWire.BYTE, at + i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private long number(int at, int digits) {
        long number = 0;
        for (int i = 0; i < digits; i++) {
            number = number << 4 | Character.digit(wire.get(DnsWire.BYTE, at + i), 16);
        }
        return number;
    }

    private boolean hex(int at) {
        if (!isHex(at, GUID_DIGITS)) {
            return false;
        }
        for (int i = 0; i < Guid.BYTES; i++) {
            guid.set(DnsWire.BYTE, i, (byte) number(at + 2 * i, 2));
        }
        return true;
    }

    /** Copies labels with dots between them; returns the length, or 0 if a character is in none of our names. */
    private int text(DnsQueryFlyweight query, int first, int behind) {
        int length = 0;
        for (int label = first; label < behind; label++) {
            int from = query.labelAt(label) + 1;
            int to = query.labelAt(label + 1);
            if (label > first) {
                text[length++] = '.';
            }
            for (int i = from; i < to; i++) {
                byte character = wire.get(DnsWire.BYTE, i);
                if (character <= ' ' || character > '~' || character == '.') {
                    return 0;
                }
                text[length++] = character;
            }
        }
        return length;
    }

    /** Computes the GUID of a handle, see {@code GuidDerivation} of the handle room: a hash of the folded handle. */
    private boolean handle(DnsQueryFlyweight query, int behind) {
        int length = text(query, 0, behind);
        boolean slash = false;
        for (int i = 0; i < length; i++) {
            slash |= text[i] == '/';
        }
        upperCase(length);
        if (length == 0 || !slash && behind < 2) {
            return false;
        }
        int suffix = slash ? 0 : query.labelAt(1) - 1;
        if (slash) {
            digest.update(text, 0, length);
        } else {
            digest.update(text, suffix + 1, length - suffix - 1);
            digest.update((byte) '/');
            digest.update(text, 0, suffix);
        }
        hashed();
        return true;
    }

    /** Returns the segment whose first 20 bytes are the GUID; for names, handles, services and places. */
    MemorySegment guid() {
        return guid;
    }

    /** Returns where in the question's name the name itself begins, behind labels of services and places. */
    int base() {
        return base;
    }

    /** Returns whether the name is below the one that handles are below; of a name below the zone. */
    boolean isBelowHandles() {
        return belowHandles;
    }

    /** Returns the high half of the address of a {@link Kind#PLACE}. */
    long placeHigh() {
        return placeHigh;
    }

    /** Returns the low half of it. */
    long placeLow() {
        return placeLow;
    }

    /** Returns the labels of a GUID, with their lengths and without those of the zone: its word, if it is found by that, or its digits. */
    static byte[] of(Guid guid) {
        return NameForm.word(guid).filter(OwnerName::isCarried).map(OwnerName::labels).orElseGet(() -> labels(guid.toString()));
    }

    /** Returns the labels of a text with dots between them; none if it is not printable, or a label is too short or too long. */
    static byte[] labels(String text) {
        byte[] wire = new byte[text.length() + 1];
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            char character = i == text.length() ? '.' : text.charAt(i);
            if (character <= ' ' || character > '~') {
                return new byte[0];
            }
            if (character == '.') {
                int length = i - start;
                if (length == 0 || length > DnsLimits.LABEL_BYTES_MAX) {
                    return new byte[0];
                }
                wire[start] = (byte) length;
                start = i + 1;
            } else {
                wire[i + 1] = (byte) character;
            }
        }
        return wire;
    }

    /** Returns the GUID of a host's name, if it is one of ours; empty for one outside the zone, and for what is found otherwise. */
    static Optional<Guid> host(String host, DnsName zone) {
        int own = host.length() - zone.toString().length() - 1;
        if (own <= 0 || !host.endsWith("." + zone) || !isCarried(host.substring(0, own))) {
            return Optional.empty();
        }
        try {
            return Optional.of(NameForm.parse(host.substring(0, own)).guid());
        } catch (Malformed e) {
            throw new AssertionError("a text that DNS carries is a name", e);
        }
    }

    /** Returns whether {@link #read} finds a name by its text. */
    static boolean isCarried(String text) {
        boolean plain = text.length() <= DnsLimits.NAME_BYTES_MAX - DnsLimits.ZONE_BYTES_MAX - PLACE_HEAD_CHARS - IPV6_DIGITS - 1
                && text.chars().noneMatch(each -> each >= 'A' && each <= 'Z');
        if (!plain || labels(text).length == 0) {
            return false;
        }
        String[] labels = text.split("\\.", -1);
        boolean service = labels.length > 1 && isTransport(labels[0])
                || labels.length > 2 && labels[0].startsWith("_") && isTransport(labels[1]);
        boolean place = labels.length > 1 && labels[0].matches("ip4-[0-9a-f]{8}|ip6-[0-9a-f]{32}");
        return !service && !place && !labels[labels.length - 1].equals("hdl") && !text.matches("[0-9a-f]{40}");
    }

    private static boolean isTransport(String label) {
        return label.equals("_udp") || label.equals("_tcp");
    }
}
