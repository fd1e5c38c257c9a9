package io.guidepost.bench.handle;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests of a run: one handle, or {@code HANDLE0} to {@code HANDLEn-1} for several. Of a response only the code
 * is checked.
 */
final class HandleRequests {
    /** Offset of the request id in a message. */
    static final int REQUEST = 8;

    /** Bytes of a response up to its code. */
    static final int CODE_END = 28;

    private static final int CODE = 24;
    private static final int EXPIRES_SECONDS = 43_200;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final List<String> handles = new ArrayList<>();
    private final List<byte[]> messages = new ArrayList<>();

    /** Encodes requests for {@code count} handles; a single handle keeps its name. */
    HandleRequests(String handle, int count, OpFlag... flags) {
        for (int i = 0; i < count; i++) {
            String name = count == 1 ? handle : handle + i;
            handles.add(name);
            messages.add(question(name, flags));
        }
    }

    private static byte[] question(String handle, OpFlag... flags) {
        MessageHeader header =
                MessageHeader.request(HandleOperation.RESOLVE, Instant.now().getEpochSecond() + EXPIRES_SECONDS, flags);
        return HandleMessage.of(
                        HandleEnvelope.of(0, 0), header, new MessageBody.Resolve(Handle.of(handle), List.of(), List.of()))
                .write();
    }

    int count() {
        return handles.size();
    }

    String handle(int number) {
        return handles.get(number);
    }

    /** Returns a shared request, whose id the caller sets. */
    byte[] message(int number) {
        return messages.get(number);
    }

    /** Returns the outcome of a datagram of at least {@link #CODE_END} bytes. */
    static GnrsAnswerCheck.Verdict verdict(MemorySegment segment, long offset) {
        return verdict(segment.get(INT, offset + CODE));
    }

    /** Returns the request id of a datagram. */
    static int id(MemorySegment segment, long offset) {
        return segment.get(INT, offset + REQUEST);
    }

    static void id(MemorySegment segment, long offset, int id) {
        segment.set(INT, offset + REQUEST, id);
    }

    /** Returns whether a datagram is the first packet of its message. */
    static boolean isFirst(MemorySegment segment, long offset) {
        return segment.get(INT, offset + REQUEST + Integer.BYTES) == 0;
    }

    private static GnrsAnswerCheck.Verdict verdict(int code) {
        if (code == ResponseCode.SUCCESS.number()) {
            return GnrsAnswerCheck.Verdict.RIGHT;
        }
        return code == ResponseCode.HANDLE_NOT_FOUND.number() ? GnrsAnswerCheck.Verdict.MISSING : GnrsAnswerCheck.Verdict.FAILED;
    }
}
