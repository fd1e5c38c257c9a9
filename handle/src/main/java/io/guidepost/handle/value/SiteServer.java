package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * One server of a site.
 *
 * <pre>
 *  offset size
 *     0     4  server id
 *     4    16  address; an IPv4 address in the last 4 bytes, zeros before it
 *    20   4+n  public key record, see key.PublicKeyRecord
 *     .     .  list of interfaces
 * </pre>
 *
 * @param id its number within the site
 * @param address 16 bytes; treated as immutable
 * @param publicKey the record of its key, unparsed; treated as immutable
 * @param interfaces the ways to reach it
 */
public record SiteServer(int id, byte[] address, byte[] publicKey, List<SiteInterface> interfaces)
        implements WireRecord {
    /** Bytes of each address. */
    public static final int ADDRESS_BYTES = 16;

    static final int BYTES_MIN = 4 + ADDRESS_BYTES + 4 + 4;

    private static final int IPV4 = 12;

    /** Copies the list, and refuses an address of another length. */
    public SiteServer {
        interfaces = List.copyOf(interfaces);
        if (address.length != ADDRESS_BYTES) {
            throw new IllegalArgumentException("an address has 16 bytes, not " + address.length);
        }
    }

    /** Returns an address as the 16 bytes that sites hold: IPv4 in the last four behind zeros. */
    public static byte[] address(InetAddress address) {
        byte[] bytes = address.getAddress();
        byte[] padded = new byte[ADDRESS_BYTES];
        System.arraycopy(bytes, 0, padded, ADDRESS_BYTES - bytes.length, bytes.length);
        return padded;
    }

    /**
     * Returns the server's address. Twelve zeros and four bytes are an IPv4 address, except {@code ::} and {@code ::1}.
     */
    public InetAddress inetAddress() {
        byte[] high = Arrays.copyOf(address, IPV4);
        byte[] low = Arrays.copyOfRange(address, IPV4, ADDRESS_BYTES);
        boolean ipv6 = !Arrays.equals(high, new byte[IPV4]) || low[0] == 0 && low[1] == 0 && low[2] == 0;
        try {
            return InetAddress.getByAddress(ipv6 ? address : low);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }

    /** Reads one, and leaves the bytes after it. */
    static SiteServer readPrefix(WireReader in) throws Malformed {
        return new SiteServer(
                in.u32(),
                in.raw(ADDRESS_BYTES),
                in.bytes(HandleLimits.KEY_RECORD_BYTES_MAX),
                in.list(SiteInterface.BYTES, HandleLimits.INTERFACES_MAX, SiteInterface::readPrefix));
    }

    @Override
    public void write(WireWriter out) {
        out.u32(id).raw(address).bytes(publicKey).list(interfaces, SiteInterface::write);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SiteServer that
                && id == that.id
                && Arrays.equals(address, that.address)
                && Arrays.equals(publicKey, that.publicKey)
                && interfaces.equals(that.interfaces);
    }

    @Override
    public int hashCode() {
        return 31 * id + Arrays.hashCode(address);
    }
}
