package io.guidepost.packet;

/**
 * Whether the kernel may hand over many datagrams of one sender as one (UDP GRO) and take many answers to one peer as
 * one (UDP GSO). It is worth ten times the CPU where peers send in trains.
 */
public enum Trains {
    /** Never. */
    OFF,
    /** Always. */
    ON,
    /** As measurement says is best; see {@link UdpSettings}. */
    AUTO
}
