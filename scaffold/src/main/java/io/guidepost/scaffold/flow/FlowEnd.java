package io.guidepost.scaffold.flow;

import io.guidepost.scaffold.segment.IpPacket;

/** What is done with the flows of one end: the client's, or the instance's. Belongs to one thread. */
interface FlowEnd {
    /** Takes a packet of a program. */
    void fromKernel(CarriedFlow flow, IpPacket packet);

    /** Takes a packet of the other end. */
    void fromPeer(CarriedFlow flow, IpPacket packet);

    /** The time of a flow has come. */
    void due(CarriedFlow flow);
}
