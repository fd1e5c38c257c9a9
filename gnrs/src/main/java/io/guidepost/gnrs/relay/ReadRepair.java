package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.peer.MergeRequest;
import io.guidepost.gnrs.peer.Peer;

/** Read repair: MERGE to a server whose answer lacked parts of a record. */
final class ReadRepair extends MergeRequest {
    ReadRepair(Peer peer, byte[] image) {
        super(peer, image, false);
    }

    @Override
    public void ended(int code, long newest, long digest) {
        // If it failed, the next look-up, or anti-entropy, will repair it.
    }
}
