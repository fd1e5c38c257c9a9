package io.guidepost.bench.handle;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.UdpRequests;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests of a run: one handle, or {@code HANDLE0} to {@code HANDLEn-1} for several. Of a response only the code
 * is checked.
 */
public final class HandleRequests implements UdpRequests {
    private static final int REQUEST = 8;
    private static final int CODE = 24;
    private static final int EXPIRES_SECONDS = 43_200;

    private final List<String> handles = new ArrayList<>();
    private final List<byte[]> messages = new ArrayList<>();

    /** Encodes requests for {@code count} handles; a single handle keeps its name. */
    public HandleRequests(String handle, int count, OpFlag... flags) {
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

    @Override
    public int count() {
        return handles.size();
    }

    String handle(int number) {
        return handles.get(number);
    }

    @Override
    public byte[] message(int number) {
        return messages.get(number);
    }

    @Override
    public int idOffset() {
        return REQUEST;
    }

    /** Returns whether a datagram is the first packet of its message, and has a response code. */
    @Override
    public boolean isResponse(MemorySegment segment, long offset, int length) {
        return length >= CODE + Integer.BYTES && segment.get(INT, offset + REQUEST + Integer.BYTES) == 0;
    }

    @Override
    public GnrsAnswerCheck.Verdict verdict(int number, MemorySegment segment, long offset, int length) {
        int code = segment.get(INT, offset + CODE);
        if (code == ResponseCode.SUCCESS.number()) {
            return GnrsAnswerCheck.Verdict.RIGHT;
        }
        return code == ResponseCode.HANDLE_NOT_FOUND.number() ? GnrsAnswerCheck.Verdict.MISSING : GnrsAnswerCheck.Verdict.FAILED;
    }
}
