package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.message.Answers;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.Header;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.SharedCounters;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One message that came, and the answers to it: signed, with a MAC, encrypted as was asked for. For one thread. */
final class Exchange {
    /**
     * What all exchanges have in common.
     *
     * @param answers of the server's site
     * @param key of the server, with which it signs
     */
    record Common(
            Answers answers,
            PrivateKey key,
            InstantSource clock,
            SecureRandom random,
            Effort effort,
            SharedCounters<ServiceCount> counts) {}

    /** The receiver of an answer is gone. */
    static final class Gone extends IOException {
        private static final long serialVersionUID = 1L;

        Gone(IOException cause) {
            super(cause);
        }
    }

    private final Common common;
    private final Call call;
    private final Replies replies;
    private final byte[] received;
    private final boolean encrypted;
    private final Optional<Session> session;
    private Message asked;
    private boolean kept;
    private @Nullable ResponseCode code;
    private @Nullable ValueReference who;

    /**
     * Begins one.
     *
     * @param received as it came, decrypted
     * @param asked what was read of that
     * @param encrypted whether it came encrypted
     * @param session that it is in
     */
    Exchange(
            Common common,
            Call call,
            Replies replies,
            byte[] received,
            Message asked,
            boolean encrypted,
            Optional<Session> session) {
        this.common = common;
        this.call = call;
        this.replies = replies;
        this.received = received;
        this.asked = asked;
        this.encrypted = encrypted;
        this.session = session;
    }

    Call call() {
        return call;
    }

    /** What is to be answered; behind a right answer to a challenge that is what was challenged. */
    Message asked() {
        return asked;
    }

    byte[] received() {
        return received;
    }

    Optional<Session> session() {
        return session;
    }

    Operation operation() {
        return asked.operation().orElseThrow();
    }

    boolean has(OpFlag flag) {
        return asked.header().has(flag);
    }

    /** How it was answered; empty if it was not yet. */
    Optional<ResponseCode> code() {
        return Optional.ofNullable(code);
    }

    /** Who asked, if they have said so. */
    Optional<ValueReference> who() {
        return Optional.ofNullable(who).or(() -> session.flatMap(Session::identity));
    }

    /** The handle that it is about; none if its body has none. */
    Handle handle() {
        return switch (asked.body()) {
            case Body.Named named -> named.handle();
            case Body.Resolve resolve -> resolve.handle();
            case Body.Values values -> values.handle();
            case Body.Indexes indexes -> indexes.handle();
            case Body.Verify verify -> verify.key().handle();
            case Body.Setup setup -> setup.who().handle();
            default -> Handle.NONE;
        };
    }

    /**
     * Goes on with what was challenged, in place of the answer to that, whose request id stays. What was to be signed or
     * encrypted is so still; the digest is that of the answer, if it wants one.
     */
    void resume(Challenge challenge, ValueReference says) {
        Header first = challenge.request().header();
        Header now = asked.header();
        int mine = OpFlag.of(OpFlag.CERT, OpFlag.ENCR, OpFlag.RRDG);
        int flags = first.flags() & ~OpFlag.RRDG.bit() | now.flags() & mine;
        Header header = new Header(
                first.opcode(), 0, flags, now.siteSerial(), now.recursionCount(), now.expirySeconds());
        Envelope envelope = asked.envelope().withSession(session.map(Session::id).orElse(0));
        asked = Message.of(envelope, header, challenge.request().body());
        who = says;
    }

    /** Answers with a reason, for people. */
    void refuse(ResponseCode reason, String text) throws IOException {
        send(reason, new Body.Text(text), true);
    }

    /** Answers. */
    void answer(ResponseCode how, Body body, OpFlag... more) throws IOException {
        send(how, body, true, more);
    }

    /** Sends a part of an answer, behind which others follow. */
    void part(Body body) throws IOException {
        send(ResponseCode.SUCCESS, body, false, OpFlag.CONT);
    }

    /** Sends the message that a stream follows: existing mirrors do not wait for more messages behind it. */
    void beginStream(Body body) throws IOException {
        send(ResponseCode.SUCCESS, body, false);
    }

    private void send(ResponseCode how, Body body, boolean last, OpFlag... more) throws IOException {
        send(common.answers.answer(asked, received, how, body, seconds(), more), last);
    }

    /** Answers in a session that begins with the answer. */
    void answerIn(Session begun, Body body) throws IOException {
        Message message = common.answers.answer(asked, received, ResponseCode.SUCCESS, body, seconds());
        send(message.with(message.envelope().withSession(begun.id())), true);
    }

    /** Challenges, and says what was sent so that the answer can be looked at. */
    void challenge(Message message) throws IOException {
        send(message, true);
    }

    long seconds() {
        return common.clock.millis() / 1000;
    }

    private void send(Message message, boolean last) throws IOException {
        byte[] bytes;
        Message sent = message;
        try {
            bytes = sealed(message);
        } catch (IllegalArgumentException e) {
            sent = common.answers.answer(
                    asked, received, ResponseCode.ERROR, new Body.Text("the answer is too long"), seconds());
            bytes = sealed(sent);
        }
        code = sent.responseCode().orElse(ResponseCode.ERROR);
        if (kept) {
            session.orElseThrow().kept().keep(call.message(), new KeptAnswers.Kept(bytes, code));
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
    void keepAnswer() {
        boolean change = asked.operation().filter(Operation::isAdmin).isPresent();
        boolean proves = asked.operation().filter(Operation.ANSWER_CHALLENGE::equals).isPresent();
        kept = session.isPresent() && call.transport() == Call.Transport.UDP && (change || proves);
    }

    /** Answers as this same message was answered before, if it was. */
    boolean repeat() throws IOException {
        if (session.isEmpty() || call.transport() != Call.Transport.UDP) {
            return false;
        }
        Optional<KeptAnswers.Kept> before = session.get().kept().find(call.message());
        if (before.isEmpty()) {
            return false;
        }
        common.counts.add(ServiceCount.CHANGES_REPEATED);
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

    private byte[] sealed(Message message) {
        Optional<SessionKey> key = session.flatMap(Session::key);
        boolean certified = message.header().has(OpFlag.CERT) && speaksCredentials(message);
        if (key.isEmpty()) {
            return (certified ? signed(message) : message).write();
        }
        byte[] bytes = (certified ? key.get().seal(message, session.orElseThrow().nextAnswer()) : message).write();
        return encrypted || message.header().has(OpFlag.ENCR) ? key.get().encrypt(bytes, common.random) : bytes;
    }

    /** In 2.5 and 2.6 credentials cover something else, which is not spoken here: those answers have none. */
    private static boolean speaksCredentials(Message message) {
        ProtocolVersion version = message.envelope().version();
        return !version.atLeast(2, 5) || version.atLeast(2, 7);
    }

    private Message signed(Message message) {
        if (!common.effort.take(call, Effort.SIGNATURE_MICROS)) {
            common.counts.add(ServiceCount.REFUSED_EFFORT);
            return common.answers.answer(
                    asked, received, ResponseCode.BUSY, new Body.Text("too many signatures are wanted"), seconds());
        }
        try {
            return MessageSignature.sign(message, common.key, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the server's key does not sign: " + e.getMessage(), e);
        }
    }
}
