package io.guidepost.dns;

import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The names that other servers of a deployment keep. One thread's. */
public interface RemoteNames {
    /** There are no other servers. */
    RemoteNames NONE = new RemoteNames() {
        @Override
        public boolean isHere(MemorySegment segment, long offset) {
            return true;
        }

        @Override
        public List<Binding> find(Guid guid) {
            return List.of();
        }
    };

    /** Returns whether the GUID at an offset of a segment is placed at this server. Allocates nothing. */
    boolean isHere(MemorySegment segment, long offset);

    /**
     * Returns the places of a name that is not placed here; waits for the servers that keep it.
     *
     * @throws IOException if they do not answer
     */
    List<Binding> find(Guid guid) throws IOException;
}
