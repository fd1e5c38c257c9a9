package io.guidepost.gnrs.site;

import io.guidepost.names.Malformed;
import io.guidepost.store.Image;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** FETCH: one server is asked for a record. */
final class FetchQuestion extends Question {
    static final int QUESTION_BYTES = SiteWire.HEADER_BYTES + SiteWire.GUID_BYTES;

    /** Where the response has its image. */
    static final int IMAGE_AT = SiteWire.HEADER_BYTES + 4;

    private final Fetches home;
    private final Fetch fetch;
    private final Fetch.Candidate candidate;

    FetchQuestion(Fetches home, Fetch fetch, Fetch.Candidate candidate) {
        super(candidate.peer());
        this.home = home;
        this.fetch = fetch;
        this.candidate = candidate;
    }

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        if (length < QUESTION_BYTES) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.FETCH, QUESTION_BYTES, messageId);
        fetch.guid(room, at + SiteWire.HEADER_BYTES);
        return QUESTION_BYTES;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        int type = segment.get(SiteWire.BYTE, at + SiteWire.TYPE) & 0xff;
        if (type != (SiteWire.FETCH | SiteWire.RESPONSE_BIT) || length < IMAGE_AT) {
            return false;
        }
        int flags = segment.get(SiteWire.SHORT, at + SiteWire.HEADER_BYTES);
        boolean lagging = (flags & SiteWire.CATCHING_UP) != 0;
        if ((flags & SiteWire.FOUND) == 0) {
            if (length != IMAGE_AT) {
                return false;
            }
            // Whoever keeps other tables than ours, and so does not keep the record, has nothing to say of it.
            boolean placed = (flags & SiteWire.PLACED_HERE) != 0;
            if (candidate.placed() && !placed) {
                fetch.refused(candidate);
            } else {
                fetch.said(candidate, null, lagging);
            }
            return true;
        }
        if (length == IMAGE_AT) {
            fetch.refused(candidate);
            return true;
        }
        byte[] image = image(segment, at + IMAGE_AT, length - IMAGE_AT);
        if (image == null) {
            return false;
        }
        fetch.said(candidate, image, lagging);
        return true;
    }

    private byte @org.jspecify.annotations.Nullable [] image(MemorySegment segment, long at, int length) {
        byte[] image = new byte[length];
        MemorySegment.copy(segment, SiteWire.BYTE, at, image, 0, length);
        try {
            Image.check(image);
        } catch (Malformed e) {
            return null;
        }
        int key = Image.HEADER_BYTES + 1;
        boolean asked = Arrays.equals(image, key, key + SiteWire.GUID_BYTES, fetch.guid(), 0, SiteWire.GUID_BYTES);
        return asked && home.mayBe(Image.newest(MemorySegment.ofArray(image), 0)) ? image : null;
    }

    @Override
    void late() {
        fetch.late();
    }

    @Override
    void silent() {
        fetch.silent(candidate);
    }
}
