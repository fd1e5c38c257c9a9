package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.Limits;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.authentication.SecretKeyAnswer;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.message.Answers;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Credential;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.Header;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Malformed;
import io.guidepost.names.SharedCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Answers messages of the native protocol, all operations of it (RFC 3652). Thread-safe.
 *
 * <p>A message goes this way: its envelope is read; in a session it is decrypted, its MAC is compared and its number
 * used; it is read; then it is done, for whoever the session or the answer to a challenge says it is, or for nobody. If
 * that needs rights and it is not said who asks, a challenge goes out, and the request waits until its answer comes.
 */
public final class HandleService implements MessageService {
    private static final System.Logger LOG = System.getLogger(HandleService.class.getName());

    private static final int NONCE_BYTES = 16;

    /** Handles in one part of the handles of a prefix: what existing servers send, and existing clients expect. */
    private static final int LISTED = 50;

    /** Bytes of handles in one part of the prefixes at home, which existing servers send in one part. */
    private static final int LIST_BYTES = Limits.MESSAGE_BYTES_MAX / 2;

    private final HandleSettings settings;
    private final Resolver resolver;
    private final Administration administration;
    private final Rights rights;
    private final Identities identities;
    private final ReplicationSource replication;
    private final Journal journal;
    private final SharedCounters<ServiceCount> counts = new SharedCounters<>(ServiceCount.class);
    private final Exchange.Common common;
    private final Challenges challenges;
    private final Sessions sessions;
    private final SessionSetup setup;

    /**
     * A service without sessions and challenges yet.
     *
     * @param effort what senders may cost; the same for all services of a server
     * @param random makes nonces, keys and numbers
     */
    public HandleService(
            HandleSettings settings,
            Resolver resolver,
            Administration administration,
            Rights rights,
            Identities identities,
            ReplicationSource replication,
            Journal journal,
            Effort effort,
            InstantSource clock,
            SecureRandom random) {
        this.settings = settings;
        this.resolver = resolver;
        this.administration = administration;
        this.rights = rights;
        this.identities = identities;
        this.replication = replication;
        this.journal = journal;
        Answers answers = new Answers(settings.site().serial(), settings.site().primary());
        this.common =
                new Exchange.Common(answers, settings.keys().getPrivate(), clock, random, effort, counts);
        this.challenges = new Challenges(clock, random, counts);
        this.sessions = new Sessions(clock, random, settings.sessionLifeMax(), counts);
        this.setup = new SessionSetup(settings, identities, sessions, effort, counts, random);
    }

    /** A counter. */
    public long count(ServiceCount which) {
        return counts.get(which);
    }

    /** Sessions that there are. */
    public int sessions() {
        return sessions.size();
    }

    /** Challenges outside of sessions that wait for their answers. */
    public int challenges() {
        return challenges.size();
    }

    @Override
    public void answer(Call call, Replies replies) {
        counts.add(ServiceCount.MESSAGES);
        long start = System.nanoTime();
        try {
            Exchange exchange = receive(call, replies);
            if (exchange.code().isEmpty()) {
                perform(exchange);
            }
            note(exchange, start);
        } catch (Malformed e) {
            counts.add(ServiceCount.UNREADABLE);
            unreadable(call, replies, e, start);
        } catch (IOException e) {
            counts.add(ServiceCount.RECEIVERS_GONE);
            LOG.log(Level.DEBUG, () -> call.peer() + " is gone: " + e.getMessage());
        }
    }

    private void note(Exchange exchange, long start) {
        Header header = exchange.asked().header();
        journal.answered(
                exchange.call(),
                new Journal.Entry(
                        exchange.asked().envelope().version(),
                        header.opcode(),
                        exchange.code().orElse(ResponseCode.ERROR),
                        exchange.handle(),
                        exchange.who(),
                        System.nanoTime() - start));
    }

    private void unreadable(Call call, Replies replies, Malformed fault, long start) {
        Message answer = Answers.toUnreadable(call.message(), fault, common.clock().millis() / 1000);
        try {
            replies.message(answer.write(), true);
        } catch (IOException e) {
            counts.add(ServiceCount.RECEIVERS_GONE);
        }
        journal.answered(
                call,
                new Journal.Entry(
                        answer.envelope().version(),
                        0,
                        answer.responseCode().orElse(ResponseCode.ERROR),
                        Handle.NONE,
                        Optional.empty(),
                        System.nanoTime() - start));
    }

    /** Reads a message, and what proves whose it is; what is not to be done for that is answered already. */
    private Exchange receive(Call call, Replies replies) throws Malformed, IOException {
        byte[] message = call.message();
        Envelope envelope = Envelope.readPrefix(new WireReader(message));
        Optional<Session> session =
                envelope.sessionId() == 0 ? Optional.empty() : sessions.find(envelope.sessionId());
        byte[] clear = message;
        if (envelope.encrypted()) {
            Optional<SessionKey> key = session.flatMap(Session::key);
            if (key.isEmpty()) {
                counts.add(ServiceCount.MESSAGES_WITHOUT_SESSION);
                Exchange blind =
                        new Exchange(common, call, replies, message, blind(envelope), false, Optional.empty());
                blind.refuse(ResponseCode.SESSION_TIMED_OUT, "");
                return blind;
            }
            clear = key.get().decrypt(message);
        }
        Message request = Message.readRequest(clear);
        Exchange exchange =
                new Exchange(common, call, replies, clear, request, envelope.encrypted(), session);
        if (envelope.sessionId() != 0 && !exchange.repeat()) {
            checkSession(exchange);
        }
        if (exchange.code().isEmpty() && exchange.operation().isAdmin() && !call.administration()) {
            exchange.refuse(ResponseCode.PROTOCOL_ERROR, "this interface takes no administration");
        }
        return exchange;
    }

    /** What stands for an encrypted message that nobody can read. */
    private static Message blind(Envelope envelope) {
        Envelope clear = envelope.withEncrypted(false);
        return Message.of(clear, new Header(0, 0, 0, Header.SERIAL_UNKNOWN, 0, 0), new Body.Empty());
    }

    /** Looks whether a message is of the session that it names; if not, that is answered. */
    private void checkSession(Exchange exchange) throws IOException {
        Operation operation = exchange.operation();
        boolean answers = operation == Operation.ANSWER_CHALLENGE;
        if (exchange.session().isEmpty()) {
            // What names no session may be the number of a challenge, or be left over where a session is to begin.
            if (!answers && operation != Operation.SET_UP_SESSION) {
                counts.add(ServiceCount.MESSAGES_WITHOUT_SESSION);
                exchange.refuse(ResponseCode.SESSION_TIMED_OUT, "the session is unknown or timed out; begin another");
            }
            return;
        }
        Session session = exchange.session().get();
        // Existing clients put no MAC on answers to challenges, which are proofs themselves; nor has the first key one.
        boolean bare = answers || operation == Operation.EXCHANGE_KEY && session.key().isEmpty();
        if (bare && exchange.asked().credential().isEmpty()) {
            return;
        }
        ResponseCode code = check(exchange, session);
        if (code != ResponseCode.SUCCESS) {
            counts.add(code == ResponseCode.DUPLICATE_MESSAGE
                    ? ServiceCount.MESSAGES_REPLAYED
                    : ServiceCount.MESSAGES_WRONG_MAC);
            exchange.refuse(code, code.text());
        }
    }

    private ResponseCode check(Exchange exchange, Session session) {
        Optional<Credential> credential = exchange.asked().credential();
        if (credential.isEmpty()) {
            return ResponseCode.BAD_CREDENTIAL;
        }
        Optional<SessionKey> key = session.key();
        if (key.isEmpty() || !key.get().verifies(exchange.received(), exchange.asked())) {
            return ResponseCode.BAD_SESSION_KEY;
        }
        long now = common.clock().millis();
        if (!exchange.asked().envelope().version().countsMessages()) {
            session.touch(now);
            return ResponseCode.SUCCESS;
        }
        return session.use(credential.get().counter(), now)
                ? ResponseCode.SUCCESS
                : ResponseCode.DUPLICATE_MESSAGE;
    }

    /** Does what is asked, and answers; what goes wrong here is answered too. */
    private void perform(Exchange exchange) throws IOException {
        exchange.keepAnswer();
        try {
            Optional<ValueReference> known = exchange.session().flatMap(Session::identity);
            Caller caller = known.isPresent() ? new Caller.Proven(known.get()) : Caller.ANONYMOUS;
            perform(exchange, caller);
        } catch (Exchange.Gone e) {
            throw e;
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof Exchange.Gone gone) {
                throw gone;
            }
            failed(exchange, e);
        } catch (IOException | RuntimeException e) {
            failed(exchange, e);
        }
    }

    private void failed(Exchange exchange, Exception e) throws IOException {
        counts.add(ServiceCount.FAILED);
        LOG.log(Level.ERROR, () -> exchange.operation() + " of " + exchange.handle() + " failed", e);
        if (exchange.code().isEmpty()) {
            exchange.refuse(ResponseCode.ERROR, "the server could not do that");
        }
    }

    private void perform(Exchange exchange, Caller caller) throws IOException {
        switch (exchange.asked().body()) {
            case Body.Answer answer -> answerChallenge(exchange, answer);
            case Body.Resolve resolve -> resolve(exchange, caller, resolve);
            case Body.Values values -> write(exchange, caller, values);
            case Body.Indexes indexes ->
                tell(exchange, administration.remove(caller, indexes.handle(), indexes.indexes()));
            case Body.Setup wanted -> setup.begin(exchange, wanted);
            case Body.Key key -> takeKey(exchange, key);
            case Body.Verify verify -> verify(exchange, verify);
            case Body.Transactions _ -> replicate(exchange, caller);
            case Body.Dump _ -> replicate(exchange, caller);
            default -> performNamed(exchange, caller);
        }
    }

    private void performNamed(Exchange exchange, Caller caller) throws IOException {
        Handle handle = exchange.handle();
        switch (exchange.operation()) {
            case GET_SITE -> exchange.answer(ResponseCode.SUCCESS, new Body.Site(settings.site()));
            case DELETE -> tell(exchange, administration.delete(caller, handle));
            case HOME_PREFIX -> tell(exchange, administration.home(caller, handle));
            case UNHOME_PREFIX -> tell(exchange, administration.unhome(caller, handle));
            case LIST_HANDLES -> {
                Lists list = new Lists(exchange, LISTED, LIST_BYTES);
                tell(exchange, administration.list(caller, handle, null, list::add), list);
            }
            case LIST_PREFIXES -> {
                Lists list = new Lists(exchange, Limits.LISTED_MAX, LIST_BYTES);
                tell(exchange, administration.homed(caller, list::add), list);
            }
            case END_SESSION -> endSession(exchange);
            case CHECKPOINT -> {
                // Whatever was acknowledged is durable already.
                ResponseCode code = rights.judge(caller, new Demand.OverServer());
                tell(exchange, Outcome.of(code, handle, ""));
            }
            default -> exchange.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "");
        }
    }

    private void resolve(Exchange exchange, Caller caller, Body.Resolve resolve) throws IOException {
        Question question = new Question(
                resolve.handle(),
                resolve.indexes(),
                resolve.types(),
                exchange.has(OpFlag.PUBL),
                exchange.has(OpFlag.DNRF),
                exchange.has(OpFlag.RECU),
                exchange.asked().header().recursionCount());
        Outcome outcome = resolver.resolve(question, caller);
        if (outcome.success()) {
            exchange.answer(ResponseCode.SUCCESS, new Body.Values(resolve.handle(), outcome.values()));
        } else {
            tell(exchange, outcome);
        }
    }

    private void write(Exchange exchange, Caller caller, Body.Values body) throws IOException {
        boolean overwrite = exchange.has(OpFlag.OVRW);
        Handle handle = body.handle();
        switch (exchange.operation()) {
            case CREATE -> {
                boolean mint = exchange.has(OpFlag.MINT);
                Outcome made = administration.create(caller, handle, body.values(), overwrite, mint);
                if (made.success()) {
                    exchange.answer(ResponseCode.SUCCESS, new Body.Named(made.handle()), flags(made.replaced(), mint));
                } else {
                    tell(exchange, made);
                }
            }
            case ADD_VALUES -> tell(exchange, administration.add(caller, handle, body.values(), overwrite));
            case MODIFY_VALUES -> tell(exchange, administration.modify(caller, handle, body.values()));
            default -> exchange.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "");
        }
    }

    private static OpFlag[] flags(boolean replaced, boolean minted) {
        if (replaced) {
            return minted ? new OpFlag[] {OpFlag.OVRW, OpFlag.MINT} : new OpFlag[] {OpFlag.OVRW};
        }
        return minted ? new OpFlag[] {OpFlag.MINT} : new OpFlag[0];
    }

    /** Answers with an outcome that has no body of its own if it went well. */
    private void tell(Exchange exchange, Outcome outcome) throws IOException {
        switch (outcome.code()) {
            case SUCCESS ->
                exchange.answer(ResponseCode.SUCCESS, new Body.Empty(), flags(outcome.replaced(), false));
            case CHALLENGE -> challenge(exchange);
            case SERVICE_REFERRAL, PREFIX_REFERRAL ->
                exchange.answer(outcome.code(), new Body.Referral(outcome.handle(), outcome.values()));
            default -> exchange.refuse(outcome.code(), outcome.text());
        }
    }

    private void tell(Exchange exchange, Outcome outcome, Lists list) throws IOException {
        if (outcome.success()) {
            list.end();
        } else {
            tell(exchange, outcome);
        }
    }

    private void challenge(Exchange exchange) throws IOException {
        byte[] nonce = new byte[NONCE_BYTES];
        common.random().nextBytes(nonce);
        int number = exchange.session().map(Session::id).orElse(0);
        Message message = common.answers()
                .challenge(exchange.asked(), exchange.received(), nonce, number, exchange.seconds());
        byte[] digest = message.body() instanceof Body.OldChallenge old
                ? old.digest()
                : message.requestDigest().orElseThrow().digest();
        Challenge pending = new Challenge(
                exchange.asked(),
                exchange.received(),
                nonce,
                digest,
                Sender.of(exchange.call()),
                common.clock().millis() + settings.challengeLife().toMillis());
        counts.add(ServiceCount.CHALLENGES);
        if (exchange.session().isPresent()) {
            exchange.session().get().add(pending);
            exchange.challenge(message);
        } else {
            int id = challenges.add(pending, exchange.call().transport());
            exchange.challenge(message.with(message.envelope().withSession(id)));
        }
    }

    /** Takes the challenges that an answer may be for. */
    private List<Challenge> pending(Exchange exchange) {
        return exchange.session().isPresent()
                ? exchange.session().get().challenges(common.clock().millis())
                : challenges.take(exchange.asked().envelope().sessionId()).map(List::of).orElse(List.of());
    }

    private void answerChallenge(Exchange exchange, Body.Answer answer) throws IOException {
        List<Challenge> pending = pending(exchange);
        if (pending.isEmpty()) {
            counts.add(ServiceCount.ANSWERS_UNKNOWN);
            exchange.refuse(ResponseCode.CHALLENGE_TIMED_OUT, "");
            return;
        }
        Optional<Proof> read = Proof.read(answer);
        if (read.isEmpty()) {
            exchange.session().ifPresent(session -> session.take(pending.getFirst()));
            exchange.resume(pending.getFirst(), answer.who());
            exchange.refuse(ResponseCode.BAD_CREDENTIAL, "");
            return;
        }
        Proof proof = read.get();
        Challenge answered = pending.size() == 1 ? pending.getFirst() : choose(exchange, pending, proof);
        if (exchange.session().isPresent() && !exchange.session().get().take(answered)) {
            exchange.refuse(ResponseCode.CHALLENGE_TIMED_OUT, "");
            return;
        }
        exchange.resume(answered, answer.who());
        if (exchange.operation().isAdmin() && !exchange.call().administration()) {
            exchange.refuse(ResponseCode.PROTOCOL_ERROR, "this interface takes no administration");
            return;
        }
        perform(exchange, new Caller.Claimed(answer.who(), () -> check(exchange, proof, answered)));
    }

    /** Which of several challenges in a session was answered: the one whose proof is right, else the oldest. */
    private Challenge choose(Exchange exchange, List<Challenge> pending, Proof proof) throws IOException {
        for (Challenge each : pending) {
            if (!common.effort().take(exchange.call(), proof.micros())) {
                break;
            }
            if (proof.check(identities, each.nonce(), each.digest()) == ResponseCode.SUCCESS) {
                return each;
            }
        }
        return pending.getFirst();
    }

    private ResponseCode check(Exchange exchange, Proof proof, Challenge challenge) throws IOException {
        Sender sender = Sender.of(exchange.call());
        if (!common.effort().take(exchange.call(), proof.micros())) {
            counts.add(ServiceCount.REFUSED_EFFORT);
            return ResponseCode.BUSY;
        }
        ResponseCode code = proof.check(identities, challenge.nonce(), challenge.digest());
        if (code == ResponseCode.SUCCESS) {
            counts.add(ServiceCount.PROOFS_RIGHT);
            exchange.session().ifPresent(session -> session.bind(proof.who()));
        } else {
            counts.add(ServiceCount.PROOFS_WRONG);
            common.effort().wrongProof(sender);
        }
        return code;
    }

    private void verify(Exchange exchange, Body.Verify verify) throws IOException {
        SecretKeyAnswer answer;
        try {
            answer = SecretKeyAnswer.read(verify.answer());
        } catch (Malformed e) {
            exchange.refuse(ResponseCode.BAD_CREDENTIAL, e.reason());
            return;
        }
        Sender sender = Sender.of(exchange.call());
        if (!common.effort().take(exchange.call(), new Proof.Secret(verify.key(), answer).micros())) {
            counts.add(ServiceCount.REFUSED_EFFORT);
            exchange.refuse(ResponseCode.BUSY, "");
            return;
        }
        Optional<Boolean> right = identities.checkHere(verify.key(), answer, verify.nonce(), verify.digest());
        if (right.isEmpty()) {
            exchange.refuse(ResponseCode.VALUES_NOT_FOUND, "");
            return;
        }
        counts.add(right.get() ? ServiceCount.PROOFS_RIGHT : ServiceCount.PROOFS_WRONG);
        if (!right.get()) {
            common.effort().wrongProof(sender);
        }
        exchange.answer(ResponseCode.SUCCESS, new Body.Verified(right.get()));
    }

    private void takeKey(Exchange exchange, Body.Key key) throws IOException {
        Optional<Session> session = exchange.session().or(() -> sessions.waiting(Sender.of(exchange.call())));
        if (session.isEmpty()) {
            exchange.refuse(ResponseCode.SESSION_TIMED_OUT, "");
        } else {
            setup.take(exchange, session.get(), key.encrypted());
        }
    }

    private void endSession(Exchange exchange) throws IOException {
        if (exchange.session().isEmpty()) {
            exchange.refuse(ResponseCode.SESSION_TIMED_OUT, "");
            return;
        }
        sessions.close(exchange.session().get());
        exchange.answer(ResponseCode.SUCCESS, new Body.Empty());
    }

    private void replicate(Exchange exchange, Caller caller) throws IOException {
        ResponseCode code = rights.judge(caller, new Demand.Mirroring());
        if (code != ResponseCode.SUCCESS) {
            tell(exchange, Outcome.of(code, exchange.handle(), ""));
            return;
        }
        ValueReference mirror = switch (caller) {
            case Caller.Proven proven -> proven.identity();
            case Caller.Claimed claimed -> claimed.identity();
            case Caller.Anonymous _ -> throw new IllegalStateException("nobody may follow this server");
        };
        replication.answer(exchange.call(), exchange.asked(), mirror, new ReplicationSource.Answer() {
            @Override
            public void refuse(ResponseCode reason, String text) throws IOException {
                exchange.refuse(reason, text);
            }

            @Override
            public void begin(Body body) throws IOException {
                exchange.beginStream(body);
            }

            @Override
            public void stream(byte[] bytes, int offset, int length) throws IOException {
                exchange.stream(bytes, offset, length);
            }
        });
    }
}
