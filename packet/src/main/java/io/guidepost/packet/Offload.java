package io.guidepost.packet;

/** Work that a device takes off the processor. */
public enum Offload {
    /** Received frames come with their checksums checked. */
    RX_CHECKSUM,
    /** Checksums of frames that leave are filled in by the device. */
    TX_CHECKSUM,
    /** Received frames are spread over the queues by a hash of their addresses and ports. */
    RECEIVE_SIDE_SCALING,
    /** Frames longer than 1,518 bytes pass. */
    JUMBO
}
