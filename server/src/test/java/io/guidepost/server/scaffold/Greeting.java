package io.guidepost.server.scaffold;

import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.MessageType;
import java.lang.foreign.MemorySegment;

/** What each host asks an object router first, and the answer of one that does not know it. */
public final class Greeting {
    private static final HostKey KEY = ScaffoldClient.newKey();
    private static final HostKey SHARE = ScaffoldClient.newKey();

    private Greeting() {}

    /** A greeting that has a number in its last four bytes of the sender's flow, which the answer repeats as the receiver's. */
    public static byte[] request(int id) {
        return ScaffoldClient.hello(SHARE, KEY, null, id);
    }

    public static boolean isAnswer(byte[] bytes) {
        ControlMessage answer = new ControlMessage();
        return answer.parse(MemorySegment.ofArray(bytes), 0, bytes.length) == ControlFault.NONE && answer.type() == MessageType.RETRY;
    }
}
