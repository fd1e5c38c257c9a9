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

/** One request and its responses: signed, with a MAC, or encrypted as the client wants. For one thread. */
final class HandleExchange implements ReplicationSource.Answer {
    /**
     * The parts that all exchanges share.
     *
     * @param answers builds responses of the server's site
     * @param key of the server's signatures
     */
    record Common(
            ResponseBuilder answers,
            PrivateKey key,
            InstantSource clock,
            SecureRandom random,
            CpuQuota effort,
            SharedCounters<HandleServiceCount> counts) {
        /**
         * Returns an error as it may leave for a source that is not validated: its bytes, the shortest form of it, or no bytes.
         */
        byte[] bounded(HandleRequest call, HandleMessage error, byte[] bytes) {
            if (bytes.length <= call.errorBytesMax()) {
                return bytes;
            }
            byte[] shortest = error.shortestError().write();
            if (shortest.length <= call.errorBytesMax()) {
                return shortest;
            }
            counts.add(HandleServiceCount.WITHHELD_ERRORS);
            return new byte[0];
        }
    }

    /** The client is gone. */
    static final class Gone extends IOException {
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
    private boolean validated;
    private @Nullable ResponseCode code;
    private @Nullable ValueReference identity;

    /**
     * Creates an exchange.
     *
     * @param received the request's bytes, decrypted
     * @param asked as parsed from them
     * @param encrypted whether the request was encrypted
     * @param session of the request
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

    /** Returns the request to execute; after a right response to a challenge, the challenged one. */
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

    /** Returns the code of the response; empty before it is sent. */
    Optional<ResponseCode> code() {
        return Optional.ofNullable(code);
    }

    Optional<ValueReference> identity() {
        return Optional.ofNullable(identity).or(() -> session.flatMap(HandleSession::identity));
    }

    /** Returns the handle of the request; none if its body has none. */
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
     * Continues with the challenged request in place of the response to the challenge, and with the latter's request
     * id. The flags for signing and encryption are kept; the digest is that of the response to the challenge, if the
     * client wants one.
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

    /** Notes that the client receives at its address: its MAC or its response to a challenge is right. */
    void validated() {
        validated = true;
    }

    @Override
    public void refuse(ResponseCode reason, String text) throws IOException {
        send(reason, new MessageBody.Text(text), true);
    }

    void answer(ResponseCode how, MessageBody body, OpFlag... more) throws IOException {
        send(how, body, true, more);
    }

    void part(MessageBody body) throws IOException {
        send(ResponseCode.SUCCESS, body, false, OpFlag.CONT);
    }

    /** Sends the message before a stream: existing mirrors expect no more messages after it. */
    @Override
    public void begin(MessageBody body) throws IOException {
        send(ResponseCode.SUCCESS, body, false);
    }

    private void send(ResponseCode how, MessageBody body, boolean last, OpFlag... more) throws IOException {
        send(common.answers.answer(request, received, how, body, seconds(), more), last);
    }

    /** Sends a response in the session that begins with it. */
    void responseTo(HandleSession begun, MessageBody body) throws IOException {
        HandleMessage message = common.answers.answer(request, received, ResponseCode.SUCCESS, body, seconds());
        send(message.with(message.envelope().withSession(begun.id())), true);
    }

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
        if (code.isError() && !validated) {
            bytes = common.bounded(call, sent, bytes);
        }
        if (kept) {
            session.orElseThrow().retransmissionCache().put(call.message(), new RetransmissionCache.SentResponse(bytes, code));
        }
        hand(bytes, last);
    }

    private void hand(byte[] bytes, boolean last) throws IOException {
        if (bytes.length == 0) {
            return;
        }
        try {
            replies.message(bytes, last);
        } catch (IOException e) {
            throw new Gone(e);
        }
    }

    /**
     * Caches the response in the retransmission cache of the session; to be called only after the client is
     * authenticated.
     */
    void cacheResponse() {
        boolean change = request.operation().filter(HandleOperation::isAdmin).isPresent();
        boolean proves = request.operation().filter(HandleOperation.ANSWER_CHALLENGE::equals).isPresent();
        kept = session.isPresent() && call.transport() == HandleRequest.Transport.UDP && (change || proves);
    }

    /** Answers a retransmission from the retransmission cache; returns false if the request is not one. */
    boolean answerRetransmission() throws IOException {
        if (session.isEmpty() || call.transport() != HandleRequest.Transport.UDP) {
            return false;
        }
        Optional<RetransmissionCache.SentResponse> before = session.get().retransmissionCache().get(call.message());
        if (before.isEmpty()) {
            return false;
        }
        common.counts.add(HandleServiceCount.REPEATED_CHANGES);
        code = before.get().code();
        hand(before.get().bytes(), true);
        return true;
    }

    @Override
    public void stream(byte[] bytes, int offset, int length) throws IOException {
        try {
            replies.stream(bytes, offset, length);
        } catch (IOException e) {
            throw new Gone(e);
        }
    }

    private byte[] sealed(HandleMessage message) {
        Optional<SessionKey> key = session.flatMap(HandleSession::key);
        boolean certified = message.header().has(OpFlag.CERT) && sendsCredentials(message);
        if (key.isEmpty()) {
            return (certified ? signed(message) : message).write();
        }
        byte[] bytes = (certified ? key.get().seal(message, session.orElseThrow().nextResponseNumber()) : message).write();
        return encrypted || message.header().has(OpFlag.ENCR) ? key.get().encrypt(bytes, common.random) : bytes;
    }

    /**
     * Returns whether responses of a version have credentials; in 2.5 and 2.6 those cover other bytes, which is not
     * implemented.
     */
    private static boolean sendsCredentials(HandleMessage message) {
        ProtocolVersion version = message.envelope().version();
        return !version.atLeast(2, 5) || version.atLeast(2, 7);
    }

    /** Charges the client for work; returns false, and counts that, if its CPU quota is exhausted. */
    boolean tryAcquire(long micros) {
        boolean acquired = common.effort.tryAcquire(call, micros);
        if (!acquired) {
            common.counts.add(HandleServiceCount.CPU_QUOTA_REFUSALS);
        }
        return acquired;
    }

    private HandleMessage signed(HandleMessage message) {
        if (!tryAcquire(CpuQuota.SIGNATURE_MICROS)) {
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
