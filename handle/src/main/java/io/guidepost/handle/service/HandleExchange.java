package io.guidepost.handle.service;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseBuilder;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One message that came, and the answers to it: signed, with a MAC, encrypted as was asked for. For one thread. */
final class HandleExchange {
    /**
     * What all exchanges have in common.
     *
     * @param answers of the server's site
     * @param key of the server, with which it signs
     */
    record Common(
            ResponseBuilder answers,
            PrivateKey key,
            InstantSource clock,
            SecureRandom random,
            CpuQuota effort,
            SharedCounters<HandleServiceCount> counts) {}

    /** The receiver of an answer is gone. */
    static final class Gone extends IOException {
        private static final long serialVersionUID = 1L;

        Gone(IOException cause) {
            super(cause);
        }
    }

    private final Common common;
    private final HandleRequest call;
    private final ResponseSink replies;
    private final byte[] received;
    private final boolean encrypted;
    private final Optional<HandleSession> session;
    private HandleMessage request;
    private boolean kept;
    private @Nullable ResponseCode code;
    private @Nullable ValueReference identity;

    /**
     * Begins one.
     *
     * @param received as it came, decrypted
     * @param asked what was read of that
     * @param encrypted whether it came encrypted
     * @param session that it is in
     */
    HandleExchange(
            Common common,
            HandleRequest call,
            ResponseSink replies,
            byte[] received,
            HandleMessage asked,
            boolean encrypted,
            Optional<HandleSession> session) {
        this.common = common;
        this.call = call;
        this.replies = replies;
        this.received = received;
        this.request = asked;
        this.encrypted = encrypted;
        this.session = session;
    }

    HandleRequest call() {
        return call;
    }

    /** What is to be answered; behind a right answer to a challenge that is what was challenged. */
    HandleMessage request() {
        return request;
    }

    byte[] received() {
        return received;
    }

    Optional<HandleSession> session() {
        return session;
    }

    HandleOperation operation() {
        return request.operation().orElseThrow();
    }

    boolean has(OpFlag flag) {
        return request.header().has(flag);
    }

    /** How it was answered; empty if it was not yet. */
    Optional<ResponseCode> code() {
        return Optional.ofNullable(code);
    }

    /** Who asked, if they have said so. */
    Optional<ValueReference> identity() {
        return Optional.ofNullable(identity).or(() -> session.flatMap(HandleSession::identity));
    }

    /** The handle that it is about; none if its body has none. */
    Handle handle() {
        return switch (request.body()) {
            case MessageBody.Named named -> named.handle();
            case MessageBody.Resolve resolve -> resolve.handle();
            case MessageBody.Values values -> values.handle();
            case MessageBody.Indexes indexes -> indexes.handle();
            case MessageBody.Verify verify -> verify.key().handle();
            case MessageBody.Setup setup -> setup.who().handle();
            default -> Handle.NONE;
        };
    }

    /**
     * Goes on with what was challenged, in place of the answer to that, whose request id stays. What was to be signed or
     * encrypted is so still; the digest is that of the answer, if it wants one.
     */
    void resume(PendingChallenge challenge, ValueReference says) {
        MessageHeader first = challenge.request().header();
        MessageHeader now = request.header();
        int mine = OpFlag.of(OpFlag.CERT, OpFlag.ENCR, OpFlag.RRDG);
        int flags = first.flags() & ~OpFlag.RRDG.bit() | now.flags() & mine;
        MessageHeader header = new MessageHeader(
                first.opcode(), 0, flags, now.siteSerial(), now.recursionCount(), now.expirySeconds());
        HandleEnvelope envelope = request.envelope().withSession(session.map(HandleSession::id).orElse(0));
        request = HandleMessage.of(envelope, header, challenge.request().body());
        identity = says;
    }

    /** Answers with a reason, for people. */
    void refuse(ResponseCode reason, String text) throws IOException {
        send(reason, new MessageBody.Text(text), true);
    }

    /** Answers. */
    void answer(ResponseCode how, MessageBody body, OpFlag... more) throws IOException {
        send(how, body, true, more);
    }

    /** Sends a part of an answer, behind which others follow. */
    void part(MessageBody body) throws IOException {
        send(ResponseCode.SUCCESS, body, false, OpFlag.CONT);
    }

    /** Sends the message that a stream follows: existing mirrors do not wait for more messages behind it. */
    void beginStream(MessageBody body) throws IOException {
        send(ResponseCode.SUCCESS, body, false);
    }

    private void send(ResponseCode how, MessageBody body, boolean last, OpFlag... more) throws IOException {
        send(common.answers.answer(request, received, how, body, seconds(), more), last);
    }

    /** Answers in a session that begins with the answer. */
    void answerIn(HandleSession begun, MessageBody body) throws IOException {
        HandleMessage message = common.answers.answer(request, received, ResponseCode.SUCCESS, body, seconds());
        send(message.with(message.envelope().withSession(begun.id())), true);
    }

    /** Challenges, and says what was sent so that the answer can be looked at. */
    void challenge(HandleMessage message) throws IOException {
        send(message, true);
    }

    long seconds() {
        return common.clock.millis() / 1000;
    }

    private void send(HandleMessage message, boolean last) throws IOException {
        byte[] bytes;
        HandleMessage sent = message;
        try {
            bytes = sealed(message);
        } catch (IllegalArgumentException e) {
            sent = common.answers.answer(
                    request, received, ResponseCode.ERROR, new MessageBody.Text("the answer is too long"), seconds());
            bytes = sealed(sent);
        }
        code = sent.responseCode().orElse(ResponseCode.ERROR);
        if (kept) {
            session.orElseThrow().retransmissionCache().put(call.message(), new RetransmissionCache.Kept(bytes, code));
        }
        hand(bytes, last);
    }

    private void hand(byte[] bytes, boolean last) throws IOException {
        try {
            replies.message(bytes, last);
        } catch (IOException e) {
            throw new Gone(e);
        }
    }

    /** Has the answer kept for whoever sends the same again; to be called only when it is sure who asked. */
    void cacheResponse() {
        boolean change = request.operation().filter(HandleOperation::isAdmin).isPresent();
        boolean proves = request.operation().filter(HandleOperation.ANSWER_CHALLENGE::equals).isPresent();
        kept = session.isPresent() && call.transport() == HandleRequest.Transport.UDP && (change || proves);
    }

    /** Answers as this same message was answered before, if it was. */
    boolean answerRetransmission() throws IOException {
        if (session.isEmpty() || call.transport() != HandleRequest.Transport.UDP) {
            return false;
        }
        Optional<RetransmissionCache.Kept> before = session.get().retransmissionCache().get(call.message());
        if (before.isEmpty()) {
            return false;
        }
        common.counts.add(HandleServiceCount.CHANGES_REPEATED);
        code = before.get().code();
        hand(before.get().bytes(), true);
        return true;
    }

    /** Sends bytes of a stream behind a part. */
    void stream(byte[] bytes, int offset, int length) throws IOException {
        try {
            replies.stream(bytes, offset, length);
        } catch (IOException e) {
            throw new Gone(e);
        }
    }

    private byte[] sealed(HandleMessage message) {
        Optional<SessionKey> key = session.flatMap(HandleSession::key);
        boolean certified = message.header().has(OpFlag.CERT) && speaksCredentials(message);
        if (key.isEmpty()) {
            return (certified ? signed(message) : message).write();
        }
        byte[] bytes = (certified ? key.get().seal(message, session.orElseThrow().nextAnswer()) : message).write();
        return encrypted || message.header().has(OpFlag.ENCR) ? key.get().encrypt(bytes, common.random) : bytes;
    }

    /** In 2.5 and 2.6 credentials cover something else, which is not spoken here: those answers have none. */
    private static boolean speaksCredentials(HandleMessage message) {
        ProtocolVersion version = message.envelope().version();
        return !version.atLeast(2, 5) || version.atLeast(2, 7);
    }

    private HandleMessage signed(HandleMessage message) {
        if (!common.effort.tryAcquire(call, CpuQuota.SIGNATURE_MICROS)) {
            common.counts.add(HandleServiceCount.REFUSED_EFFORT);
            return common.answers.answer(
                    request, received, ResponseCode.BUSY, new MessageBody.Text("too many signatures are wanted"), seconds());
        }
        try {
            return MessageSignature.sign(message, common.key, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the server's key does not sign: " + e.getMessage(), e);
        }
    }
}
