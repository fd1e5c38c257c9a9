package io.guidepost.dns;

import io.guidepost.base.Memory;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader to which a record that is placed at other servers is unknown, until it was fetched from them. It is fetched between two
 * tries to answer, not within one, as memory of the index is held back until {@link #exit}. One thread's.
 */
final class PlacedReader implements RecordReader {
    private static final byte GUIDS = Name.Namespace.GUID.code();

    private final RecordReader own;
    private final RemoteNames remote;
    private final Map<Guid, MemorySegment> fetched = new HashMap<>();
    private @Nullable MemorySegment found;
    private @Nullable Guid missing;

    PlacedReader(RecordReader own, RemoteNames remote) {
        this.own = own;
        this.remote = remote;
    }

    @Override
    public void enter() {
        own.enter();
    }

    @Override
    public void exit() {
        own.exit();
    }

    @Override
    public void prefetch(byte namespace, MemorySegment segment, long offset, int length) {
        own.prefetch(namespace, segment, offset, length);
    }

    @Override
    public Found find(byte namespace, MemorySegment segment, long offset, int length) {
        found = null;
        Found here = own.find(namespace, segment, offset, length);
        return here == Found.NO && namespace == GUIDS && !remote.isHere(segment, offset) ? there(segment, offset) : here;
    }

    private Found there(MemorySegment segment, long offset) {
        Guid guid = Guid.read(segment, offset);
        found = fetched.get(guid);
        if (found == null) {
            missing = guid;
            return Found.UNKNOWN;
        }
        return found.byteSize() == 0 ? Found.NO : Found.YES;
    }

    /** Begins with another request: what was fetched is forgotten. */
    void begin() {
        missing = null;
        fetched.clear();
    }

    /** Returns whether the record that was not known is one of other servers. */
    boolean isElsewhere() {
        return missing != null;
    }

    /**
     * Fetches that record; waits.
     *
     * @return false if there is none to fetch, or too many were
     * @throws IOException if its servers do not answer
     */
    boolean fetch() throws IOException {
        Guid guid = missing;
        if (guid == null || fetched.size() == DnsLimits.REMOTE_NAMES_MAX) {
            return false;
        }
        missing = null;
        List<Binding> bindings = remote.find(guid).stream()
                .filter(each -> !Locator.isAnnotation(each.locator().type()))
                .toList();
        byte[] image = bindings.isEmpty() ? new byte[0] : RecordImage.write(Name.of(guid).key(), 0, bindings, List.of());
        MemorySegment copy = Arena.ofAuto().allocate(image.length, Long.BYTES);
        MemorySegment.copy(image, 0, copy, DnsWire.BYTE, 0, image.length);
        fetched.put(guid, copy);
        return true;
    }

    // One kind of memory, as the callers are compiled for.
    @Override
    public MemorySegment segment() {
        return found == null ? own.segment() : Memory.ALL;
    }

    @Override
    public long offset() {
        return found == null ? own.offset() : found.address();
    }
}
