package io.guidepost.packet.admission;

import io.guidepost.packet.Port;
import java.util.function.LongSupplier;

/**
 * How admission control protects the ports of a protocol.
 *
 * <p>Why two policies? They answer two different floods, and neither does what the other does.
 *
 * <table>
 * <caption>Policies</caption>
 * <tr><th><th>{@link Policy#FAIR_QUEUE}<th>{@link Policy#MAX_MIN}
 * <tr><td>clients<td>the open Internet, most of them unknown<td>an operator's own customers, who come again
 * <tr><td>acts when<td>bursts are long<td>the kernel drops datagrams
 * <tr><td>on whom<td>heavy hitters: the busiest source networks, or names<td>subscribers above their max-min fair share
 * <tr><td>how<td>defers, behind the others; drops what does not fit<td>drops at once
 * <tr><td>forged sources<td>defers the name that is asked for most<td>holds all new sources together to one share
 * </table>
 *
 * @param policy who gives way under overload
 * @param floodSockets whether networks that flood are received by second sockets of their own, where the port can
 */
public record Admission(Policy policy, boolean floodSockets) {
    /** Who gives way under overload. */
    public enum Policy {
        /** All datagrams are handled in the order in which they come. */
        NONE,
        /** Heavy-hitter isolation: see {@link FairQueue}. */
        FAIR_QUEUE,
        /** Max-min fairness: see {@link MaxMinLimiter}. */
        MAX_MIN
    }

    /** Heavy-hitter isolation with flood sockets. */
    public static final Admission FAIR_QUEUE = new Admission(Policy.FAIR_QUEUE, true);

    /** Max-min fairness with flood sockets. */
    public static final Admission MAX_MIN = new Admission(Policy.MAX_MIN, true);

    /** No admission control. */
    public static final Admission NONE = new Admission(Policy.NONE, false);

    /** Returns the same policy with or without flood sockets. */
    public Admission withFloodSockets(boolean on) {
        return new Admission(policy, on);
    }

    /**
     * Puts admission control in front of a port.
     *
     * @param secrets gives numbers that are unpredictable outside of the process
     */
    public PortAdmission at(Port port, LongSupplier secrets) {
        return new PortAdmission(this, port, secrets);
    }
}
