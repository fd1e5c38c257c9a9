package io.guidepost.packet.frame;

/**
 * A message of the Address Resolution Protocol for IPv4 over Ethernet (RFC 826).
 *
 * <pre>
 *  0             2             4       5       6           8            14          18           24
 *  | hardware 1  | 0x0800      | 6     | 4     | operation | sender MAC | sender IP | target MAC | target IP |
 * </pre>
 */
public final class Arp extends HeaderView<Arp> {
    /** Bytes of a message. */
    public static final int BYTES = 28;

    /** Operation: who has the target address? */
    public static final int REQUEST = 1;

    /** Operation: the sender has it. */
    public static final int REPLY = 2;

    /** Ethernet, IPv4, addresses of 6 and of 4 bytes. */
    private static final long KINDS = 0x0001_0800_06_04L;

    private static final int OPERATION = 6;
    private static final int SENDER_MAC = 8;
    private static final int SENDER = 14;
    private static final int TARGET_MAC = 18;
    private static final int TARGET = 24;

    @Override
    public boolean read(long address, int bytesLeft) {
        point(address, bytesLeft);
        return bytesLeft >= BYTES && i64(0) >>> 16 == KINDS;
    }

    /** Writes a message. */
    public Arp write(int operation, long senderMac, int sender, long targetMac, int target) {
        put64(0, KINDS << 16 | operation & 0xffff);
        putMac(SENDER_MAC, senderMac);
        put32(SENDER, sender);
        putMac(TARGET_MAC, targetMac);
        put32(TARGET, target);
        return this;
    }

    /** Turns a request into its reply, in place: the requested address has the given Ethernet address. */
    public Arp reply(long mac) {
        long asking = senderMac();
        int asker = sender();
        int asked = target();
        return write(REPLY, mac, asked, asking, asker);
    }

    @Override
    int bytesMin() {
        return BYTES;
    }

    /** Returns {@link #REQUEST}, {@link #REPLY}, or another operation. */
    public int operation() {
        return u16(OPERATION);
    }

    /** Returns the Ethernet address of the sender. */
    public long senderMac() {
        return mac(SENDER_MAC);
    }

    /** Returns the IPv4 address of the sender. */
    public int sender() {
        return i32(SENDER);
    }

    /** Returns the Ethernet address of the target, 0 in most requests. */
    public long targetMac() {
        return mac(TARGET_MAC);
    }

    /** Returns the IPv4 address of the target. */
    public int target() {
        return i32(TARGET);
    }
}
