package io.guidepost.packet.xdp;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;

/**
 * Opens ports of frames over AF_XDP.
 *
 * <table>
 * <caption>Options beside those of all ports</caption>
 * <tr><th>key<th>values<th>what it sets
 * <tr><td>mode<td>auto, native, generic<td>where the program runs: in the driver, or behind it, with any device; auto
 *     takes the driver if it can, and the port's name says which it was
 * <tr><td>redirect<td>all, or terms joined by +<td>what the port takes; the kernel gets the rest. udp:PORT is UDP to a
 *     port number, address:IP is all that is for an address, ARP and neighbour solicitations included; a term without a
 *     kind has that of the one before: udp:5001+5002+address:10.0.0.2
 * <tr><td>ring<td>64 to 65,536<td>entries of each of the four rings of a queue, a power of two; 2,048
 * <tr><td>first-queue<td>0 to 1,023<td>the device's queue that is the port's queue 0
 * <tr><td>copy<td>true, false<td>has the kernel copy frames even where the device can do without
 * <tr><td>oversize<td>refuse, drop<td>whether an interface is refused whose MTU is larger than a piece of packet memory
 *     takes, or longer frames are lost, and counted
 * <tr><td>busy-poll<td>microseconds<td>lets the thread that receives drive the device by itself (Linux 5.11); 0 is never
 * <tr><td>checksums<td>device, software<td>whether checksums may come and leave partial, or are completed here; where the
 *     kernel copies, they may come so either way
 * <tr><td>busy-poll-frames<td>1 to 65,535<td>frames that it takes at most in one look; 64
 * </table>
 *
 * <p>Multi-buffer frames are not supported: {@code frame-bytes=2048} takes MTUs up to 1,774, {@code frame-bytes=4096}
 * up to 3,822.
 */
public final class Xdp {
    private Xdp() {}

    /**
     * Opens a port.
     *
     * @param settings device is the interface's name
     * @throws IOException in one line: what is wrong or missing, and how to get it
     */
    public static Port open(FrameSettings settings) throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException("xdp:" + settings.device() + ": AF_XDP needs Linux on x86-64 or aarch64");
        }
        return new XdpPort(settings, XdpOptions.of(settings));
    }

    /**
     * Checks options of its own, and opens nothing.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    public static void check(FrameSettings settings) throws IOException {
        XdpOptions.of(settings);
    }
}
