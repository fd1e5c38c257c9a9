package io.guidepost.middlebox.nat;

/** A protocol that a translator maps: of TCP and UDP the port, of ICMP the identifier of a query. */
public enum NatProtocol {
    TCP(0),
    UDP(1),
    ICMP(2);

    /** Its place in arrays, and in the key of a mapping. */
    final int place;

    NatProtocol(int place) {
        this.place = place;
    }
}
