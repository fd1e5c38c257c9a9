package io.guidepost.packet.frame;

import io.guidepost.packet.Burst;

/**
 * Finds frames whose sender left their checksum to a device, where the back end cannot say which they are: a kernel does so
 * when it sends to an interface without a wire, such as veth. One thread's.
 */
public final class PartialChecksums {
    private final HeaderParser headers = new HeaderParser();

    /** One for a queue. */
    public PartialChecksums() {}

    /** Says of each frame of a burst that was just received whether its checksum is partial. */
    public void find(Burst burst) {
        for (int i = 0; i < burst.count(); i++) {
            find(burst, i);
        }
    }

    /** Says it of one frame. */
    public void find(Burst burst, int index) {
        if (headers.read(burst, index) && InternetChecksum.looksPartial(headers)) {
            InternetChecksum.leave(burst, index, headers);
        }
    }
}
