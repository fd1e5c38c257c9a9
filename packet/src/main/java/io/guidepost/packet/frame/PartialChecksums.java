package io.guidepost.packet.frame;

import io.guidepost.packet.Burst;

/**
 * Detects frames with partial checksums where the back end does not report them: a kernel sends such frames over
 * interfaces without a wire, such as veth. One thread's.
 */
public final class PartialChecksums {
    private final HeaderParser headers = new HeaderParser();

    /** Creates a detector for a queue. */
    public PartialChecksums() {}

    /** Sets the checksum state of each frame of a received burst. */
    public void find(Burst burst) {
        for (int i = 0; i < burst.count(); i++) {
            find(burst, i);
        }
    }

    /** Sets the checksum state of one frame. */
    public void find(Burst burst, int index) {
        if (headers.read(burst, index) && InternetChecksum.looksPartial(headers)) {
            InternetChecksum.leave(burst, index, headers);
        }
    }
}
