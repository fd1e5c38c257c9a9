package io.guidepost.proximity.bgp;

import io.guidepost.base.Malformed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Files of MRT, for {@code ./guidepost fuzz}. */
public final class MrtFuzz {
    private MrtFuzz() {}

    /** Reads one. */
    public static void fuzz(byte[] file) {
        if (packed(file)) {
            return;
        }
        Rib rib = new Rib();
        try {
            MrtReader.read(new ByteArrayInputStream(file), peer -> peer(rib, peer), _ -> {});
        } catch (Malformed e) {
            if (e.reason().isEmpty()) {
                throw new AssertionError("no reason", e);
            }
        } catch (IOException e) {
            throw new AssertionError("there is nothing to read from but memory", e);
        }
    }

    /** What is packed is for whoever unpacks it, with gzip or bzip2: a small file may well be a large one. */
    private static boolean packed(byte[] file) {
        return file.length > 1 && (file[0] == 0x1f || file[0] == 'B' && file[1] == 'Z');
    }

    private static Optional<RibPeer> peer(Rib rib, MrtPeer peer) {
        return rib.peer("mrt " + peer.address(), new RouteExitRule.Fixed(new RouteExit(peer.address(), 0)));
    }

    /** A table of two peers. */
    public static List<byte[]> seeds() throws Exception {
        return List.of(new MrtReaderTest().sample());
    }
}
