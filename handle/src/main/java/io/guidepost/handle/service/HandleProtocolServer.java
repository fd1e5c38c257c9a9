package io.guidepost.handle.service;

import io.guidepost.base.Malformed;
import io.guidepost.base.RateLimitedLog;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageCredential;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseBuilder;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleResolver;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.operation.RecordChange;
import io.guidepost.handle.operation.RequiredAccess;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The server of the native protocol: executes all its operations (RFC 3652). Thread-safe.
 *
 * <p>It parses the envelope of a message; in a session it decrypts the message, verifies its MAC and checks its counter
 * against replay; then it parses the rest, and executes the request for the identity of the session or of the response
 * to a challenge, or for an anonymous client. A request that needs rights and has no identity is challenged, and stays
 * pending until the response arrives.
 */
public final class HandleProtocolServer implements HandleRequestHandler {
    private static final System.Logger LOG = System.getLogger(HandleProtocolServer.class.getName());
    private static final RateLimitedLog FAILURES = new RateLimitedLog(LOG);

    private static final int NONCE_BYTES = 16;

    /** Handles in one part of a list: the number that existing servers send, and existing clients expect. */
    private static final int LISTED = 50;

    private final HandleSettings settings;
    private final HandleResolver resolver;
    private final Administration administration;
    private final AccessControl rights;
    private final Authenticator identities;
    private final ReplicationSource replication;
    private final RequestListener journal;
    private final SharedCounters<HandleServiceCount> counts = new SharedCounters<>(HandleServiceCount.class);
    private final HandleExchange.Common common;
    private final PendingChallenges challenges;
    private final HandleSessions sessions;
    private final SessionSetup setup;

    /**
     * Creates a service without sessions and challenges yet.
     *
     * @param effort CPU quotas of clients, shared by all services of a server
     * @param random makes nonces, keys and numbers
     */
    public HandleProtocolServer(
            HandleSettings settings,
            HandleResolver resolver,
            Administration administration,
            AccessControl rights,
            Authenticator identities,
            ReplicationSource replication,
            RequestListener journal,
            CpuQuota effort,
            InstantSource clock,
            SecureRandom random) {
        this.settings = settings;
        this.resolver = resolver;
        this.administration = administration;
        this.rights = rights;
        this.identities = identities;
        this.replication = replication;
        this.journal = journal;
        ResponseBuilder answers = new ResponseBuilder(settings.site().serial(), settings.site().primary());
        this.common =
                new HandleExchange.Common(answers, settings.keys().getPrivate(), clock, random, effort, counts);
        this.challenges = new PendingChallenges(clock, random, counts);
        this.sessions = new HandleSessions(clock, random, counts);
        this.setup = new SessionSetup(settings, identities, sessions, counts, random);
    }

    /** Returns a counter. */
    public long count(HandleServiceCount which) {
        return counts.get(which);
    }

    /** Returns the number of sessions. */
    public int sessions() {
        return sessions.size();
    }

    /** Returns the number of pending challenges outside of sessions. */
    public int challenges() {
        return challenges.size();
    }

    /** Returns what creates handles on an event loop, without a thread for each. */
    public LoopChanges on(ScheduledExecutorService loop) {
        return new LoopChanges(this, administration, loop, System::nanoTime);
    }

    @Override
    public void answer(HandleRequest call, ResponseSink replies) {
        long start = System.nanoTime();
        HandleExchange exchange = begin(call, replies, start);
        if (exchange != null) {
            finish(exchange, start);
        }
    }

    /** Receives a request; returns null if it is answered already. */
    @Nullable HandleExchange begin(HandleRequest call, ResponseSink replies, long start) {
        counts.add(HandleServiceCount.MESSAGES);
        try {
            HandleExchange exchange = receive(call, replies);
            if (exchange.code().isEmpty()) {
                return exchange;
            }
            note(exchange, start);
        } catch (Malformed e) {
            counts.add(HandleServiceCount.MALFORMED_MESSAGES);
            unreadable(call, replies, e, start);
        } catch (IOException e) {
            gone(call, e);
        }
        return null;
    }

    /** Executes a received request; on a thread that may wait. */
    void finish(HandleExchange exchange, long start) {
        try {
            perform(exchange);
            note(exchange, start);
        } catch (IOException e) {
            gone(exchange.call(), e);
        }
    }

    /** Returns the creation that a request is, by a client with a proven identity; null if it is something else. */
    @Nullable RecordChange creation(HandleExchange exchange, Administration unwaiting) {
        Optional<ValueReference> known = exchange.session().flatMap(HandleSession::identity);
        return known.isPresent()
                        && exchange.operation() == HandleOperation.CREATE
                        && exchange.request().body() instanceof MessageBody.Values values
                ? creation(exchange, new Principal.Proven(known.get()), values, unwaiting)
                : null;
    }

    private static RecordChange creation(
            HandleExchange exchange, Principal caller, MessageBody.Values values, Administration administration) {
        return administration.creating(
                caller, values.handle(), values.values(), exchange.has(OpFlag.OVRW), exchange.has(OpFlag.MINT));
    }

    /** Answers a {@link #creation} that is complete. */
    void created(HandleExchange exchange, HandleResult made, long start) {
        try {
            created(exchange, made);
            note(exchange, start);
        } catch (IOException e) {
            gone(exchange.call(), e);
        } catch (RuntimeException e) {
            failed(exchange, e, start);
        }
    }

    private void created(HandleExchange exchange, HandleResult made) throws IOException {
        if (made.success()) {
            exchange.answer(
                    ResponseCode.SUCCESS,
                    new MessageBody.Named(made.handle()),
                    flags(made.replaced(), exchange.has(OpFlag.MINT)));
        } else {
            tell(exchange, made);
        }
    }

    /** Answers a request that failed for a reason of the server's own. */
    void failed(HandleExchange exchange, Exception reason, long start) {
        try {
            failed(exchange, reason);
            note(exchange, start);
        } catch (IOException e) {
            gone(exchange.call(), e);
        }
    }

    private void gone(HandleRequest call, IOException reason) {
        counts.add(HandleServiceCount.UNSENT_RESPONSES);
        LOG.log(Level.DEBUG, () -> call.peer() + " is gone: " + reason.getMessage());
    }

    private void note(HandleExchange exchange, long start) {
        MessageHeader header = exchange.request().header();
        journal.answered(
                exchange.call(),
                new RequestListener.Entry(
                        exchange.request().envelope().version(),
                        header.opcode(),
                        exchange.code().orElse(ResponseCode.ERROR),
                        exchange.handle(),
                        exchange.identity(),
                        System.nanoTime() - start));
    }

    private void unreadable(HandleRequest call, ResponseSink replies, Malformed fault, long start) {
        HandleMessage answer = ResponseBuilder.toUnreadable(call.message(), fault, common.clock().millis() / 1000);
        try {
            byte[] bytes = common.bounded(call, answer, answer.write());
            if (bytes.length > 0) {
                replies.message(bytes, true);
            }
        } catch (IOException e) {
            counts.add(HandleServiceCount.UNSENT_RESPONSES);
        }
        journal.answered(
                call,
                new RequestListener.Entry(
                        answer.envelope().version(),
                        0,
                        answer.responseCode().orElse(ResponseCode.ERROR),
                        Handle.NONE,
                        Optional.empty(),
                        System.nanoTime() - start));
    }

    /** Decrypts, parses and authenticates a message; answers it if that fails. */
    private HandleExchange receive(HandleRequest call, ResponseSink replies) throws Malformed, IOException {
        byte[] message = call.message();
        HandleEnvelope envelope = HandleEnvelope.readPrefix(new WireReader(message));
        Optional<HandleSession> session =
                envelope.sessionId() == 0 ? Optional.empty() : sessions.find(envelope.sessionId());
        byte[] clear = message;
        if (envelope.encrypted()) {
            Optional<SessionKey> key = session.flatMap(HandleSession::key);
            if (key.isEmpty()) {
                counts.add(HandleServiceCount.SESSION_MESSAGES_REFUSED_UNKNOWN_SESSION);
                HandleExchange blind =
                        new HandleExchange(common, call, replies, message, blind(envelope), false, Optional.empty());
                blind.refuse(ResponseCode.SESSION_TIMED_OUT, "");
                return blind;
            }
            clear = key.get().decrypt(message);
        }
        HandleMessage request = HandleMessage.readRequest(clear);
        HandleExchange exchange =
                new HandleExchange(common, call, replies, clear, request, envelope.encrypted(), session);
        if (envelope.sessionId() != 0 && !exchange.answerRetransmission()) {
            checkSession(exchange);
        }
        if (exchange.code().isEmpty() && exchange.operation().isAdmin() && !call.administration()) {
            exchange.refuse(ResponseCode.PROTOCOL_ERROR, "this interface takes no administration");
        }
        return exchange;
    }

    /** Returns a stand-in for an encrypted message without a key. */
    private static HandleMessage blind(HandleEnvelope envelope) {
        HandleEnvelope clear = envelope.withEncrypted(false);
        return HandleMessage.of(clear, new MessageHeader(0, 0, 0, MessageHeader.SERIAL_UNKNOWN, 0, 0), new MessageBody.Empty());
    }

    /** Verifies that a message belongs to the session that it names; answers it if not. */
    private void checkSession(HandleExchange exchange) throws IOException {
        HandleOperation operation = exchange.operation();
        boolean answers = operation == HandleOperation.ANSWER_CHALLENGE;
        if (exchange.session().isEmpty()) {
            // A number without a session may be that of a challenge, or a leftover where a session is to begin.
            if (!answers && operation != HandleOperation.SET_UP_SESSION) {
                counts.add(HandleServiceCount.SESSION_MESSAGES_REFUSED_UNKNOWN_SESSION);
                exchange.refuse(ResponseCode.SESSION_TIMED_OUT, "the session is unknown or timed out; begin another");
            }
            return;
        }
        HandleSession session = exchange.session().get();
        // Existing clients put no MAC on responses to challenges, which are proofs themselves; nor has the first key
        // one.
        boolean bare = answers || operation == HandleOperation.EXCHANGE_KEY && session.key().isEmpty();
        if (bare && exchange.request().credential().isEmpty()) {
            return;
        }
        ResponseCode code = check(exchange, session);
        if (code != ResponseCode.SUCCESS) {
            counts.add(code == ResponseCode.DUPLICATE_MESSAGE
                    ? HandleServiceCount.SESSION_MESSAGES_REFUSED_REPLAYED
                    : HandleServiceCount.SESSION_MESSAGES_REFUSED_WRONG_MAC);
            exchange.refuse(code, code.text());
        } else {
            exchange.validated();
        }
    }

    private ResponseCode check(HandleExchange exchange, HandleSession session) {
        Optional<MessageCredential> credential = exchange.request().credential();
        if (credential.isEmpty()) {
            return ResponseCode.BAD_CREDENTIAL;
        }
        Optional<SessionKey> key = session.key();
        if (key.isEmpty() || !key.get().verifies(exchange.received(), exchange.request())) {
            return ResponseCode.BAD_SESSION_KEY;
        }
        long now = common.clock().millis();
        if (!exchange.request().envelope().version().countsMessages()) {
            session.touch(now);
            return ResponseCode.SUCCESS;
        }
        return session.use(credential.get().counter(), now)
                ? ResponseCode.SUCCESS
                : ResponseCode.DUPLICATE_MESSAGE;
    }

    /** Executes and answers a request; internal errors are answered too. */
    private void perform(HandleExchange exchange) throws IOException {
        exchange.cacheResponse();
        try {
            Optional<ValueReference> known = exchange.session().flatMap(HandleSession::identity);
            Principal caller = known.isPresent() ? new Principal.Proven(known.get()) : Principal.ANONYMOUS;
            perform(exchange, caller);
        } catch (HandleExchange.Gone e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            if (e instanceof UncheckedIOException && e.getCause() instanceof HandleExchange.Gone gone) {
                throw gone;
            }
            failed(exchange, e);
        }
    }

    private void failed(HandleExchange exchange, Exception e) throws IOException {
        counts.add(HandleServiceCount.FAILED_REQUESTS);
        FAILURES.error(exchange.operation() + " of " + exchange.handle() + " failed: " + e, e instanceof IOException ? null : e);
        if (exchange.code().isEmpty()) {
            exchange.refuse(ResponseCode.ERROR, "the server could not do that");
        }
    }

    private void perform(HandleExchange exchange, Principal caller) throws IOException {
        switch (exchange.request().body()) {
            case MessageBody.Answer answer -> answerChallenge(exchange, answer);
            case MessageBody.Resolve resolve -> resolve(exchange, caller, resolve);
            case MessageBody.Values values -> write(exchange, caller, values);
            case MessageBody.Indexes indexes ->
                tell(exchange, administration.remove(caller, indexes.handle(), indexes.indexes()));
            case MessageBody.Setup wanted -> setup.begin(exchange, wanted);
            case MessageBody.Key key -> takeKey(exchange, key);
            case MessageBody.Verify verify -> verify(exchange, verify);
            case MessageBody.Transactions _ -> replicate(exchange, caller);
            case MessageBody.Dump _ -> replicate(exchange, caller);
            default -> performNamed(exchange, caller);
        }
    }

    private void performNamed(HandleExchange exchange, Principal caller) throws IOException {
        Handle handle = exchange.handle();
        switch (exchange.operation()) {
            case GET_SITE -> exchange.answer(ResponseCode.SUCCESS, new MessageBody.Site(settings.site()));
            case DELETE -> tell(exchange, administration.delete(caller, handle));
            case HOME_PREFIX -> tell(exchange, administration.home(caller, handle));
            case UNHOME_PREFIX -> tell(exchange, administration.unhome(caller, handle));
            case LIST_HANDLES -> {
                ListResponse list = new ListResponse(exchange, LISTED);
                tell(exchange, administration.list(caller, handle, null, list::add), list);
            }
            case LIST_PREFIXES -> {
                ListResponse list = new ListResponse(exchange, HandleLimits.LISTED_MAX);
                tell(exchange, administration.homed(caller, list::add), list);
            }
            case END_SESSION -> endSession(exchange);
            case CHECKPOINT -> {
                // All acknowledged changes are durable already.
                ResponseCode code = rights.check(caller, new RequiredAccess.OverServer());
                tell(exchange, HandleResult.of(code, handle, ""));
            }
            default -> exchange.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "");
        }
    }

    private void resolve(HandleExchange exchange, Principal caller, MessageBody.Resolve resolve) throws IOException {
        ResolveRequest question = new ResolveRequest(
                resolve.handle(),
                resolve.indexes(),
                resolve.types(),
                exchange.has(OpFlag.PUBL),
                exchange.has(OpFlag.DNRF),
                exchange.has(OpFlag.RECU),
                exchange.request().header().recursionCount(),
                exchange.has(OpFlag.AUTH));
        HandleResult outcome = resolver.resolve(question, caller);
        if (outcome.success()) {
            exchange.answer(ResponseCode.SUCCESS, new MessageBody.Values(resolve.handle(), outcome.values()));
        } else {
            tell(exchange, outcome);
        }
    }

    private void write(HandleExchange exchange, Principal caller, MessageBody.Values body) throws IOException {
        boolean overwrite = exchange.has(OpFlag.OVRW);
        Handle handle = body.handle();
        switch (exchange.operation()) {
            case CREATE -> created(exchange, creation(exchange, caller, body, administration).await());
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

    /** Sends an outcome that has no body of its own on success. */
    private void tell(HandleExchange exchange, HandleResult outcome) throws IOException {
        switch (outcome.code()) {
            case SUCCESS ->
                exchange.answer(ResponseCode.SUCCESS, new MessageBody.Empty(), flags(outcome.replaced(), false));
            case CHALLENGE -> challenge(exchange);
            case SERVICE_REFERRAL, PREFIX_REFERRAL ->
                exchange.answer(outcome.code(), new MessageBody.Referral(outcome.handle(), outcome.values()));
            default -> exchange.refuse(outcome.code(), outcome.text());
        }
    }

    private void tell(HandleExchange exchange, HandleResult outcome, ListResponse list) throws IOException {
        if (outcome.success()) {
            list.end();
        } else {
            tell(exchange, outcome);
        }
    }

    private void challenge(HandleExchange exchange) throws IOException {
        byte[] nonce = new byte[NONCE_BYTES];
        common.random().nextBytes(nonce);
        int number = exchange.session().map(HandleSession::id).orElse(0);
        HandleMessage message = common.answers()
                .challenge(exchange.request(), exchange.received(), nonce, number, exchange.seconds());
        byte[] digest = message.body() instanceof MessageBody.OldChallenge old
                ? old.digest()
                : message.requestDigest().orElseThrow().digest();
        PendingChallenge pending = new PendingChallenge(
                exchange.request(),
                exchange.received(),
                nonce,
                digest,
                exchange.call().subscriber(),
                common.clock().millis() + HandleSettings.CHALLENGE_LIFE.toMillis());
        counts.add(HandleServiceCount.CHALLENGES_SENT);
        if (exchange.session().isPresent()) {
            exchange.session().get().add(pending);
            exchange.challenge(message);
        } else {
            int id = challenges.add(pending, exchange.call().transport());
            exchange.challenge(message.with(message.envelope().withSession(id)));
        }
    }

    /** Takes the challenges that a response may be for. */
    private List<PendingChallenge> pending(HandleExchange exchange) {
        return exchange.session().isPresent()
                ? exchange.session().get().challenges(common.clock().millis())
                : challenges.take(exchange.request().envelope().sessionId()).map(List::of).orElse(List.of());
    }

    private void answerChallenge(HandleExchange exchange, MessageBody.Answer answer) throws IOException {
        List<PendingChallenge> pending = pending(exchange);
        if (pending.isEmpty()) {
            counts.add(HandleServiceCount.PROOFS_UNKNOWN);
            exchange.refuse(ResponseCode.CHALLENGE_TIMED_OUT, "");
            return;
        }
        Optional<ChallengeResponse> read = ChallengeResponse.read(answer);
        if (read.isEmpty()) {
            exchange.session().ifPresent(session -> session.take(pending.getFirst()));
            exchange.resume(pending.getFirst(), answer.who());
            exchange.refuse(ResponseCode.BAD_CREDENTIAL, "");
            return;
        }
        ChallengeResponse proof = read.get();
        PendingChallenge answered = pending.size() == 1 ? pending.getFirst() : choose(exchange, pending, proof);
        if (exchange.session().isPresent() && !exchange.session().get().take(answered)) {
            exchange.refuse(ResponseCode.CHALLENGE_TIMED_OUT, "");
            return;
        }
        exchange.resume(answered, answer.who());
        if (exchange.operation().isAdmin() && !exchange.call().administration()) {
            exchange.refuse(ResponseCode.PROTOCOL_ERROR, "this interface takes no administration");
            return;
        }
        perform(exchange, new Principal.Claimed(answer.who(), () -> check(exchange, proof, answered)));
    }

    /**
     * Returns the answered one of several challenges in a session: the one with the right proof, otherwise the oldest.
     */
    private PendingChallenge choose(HandleExchange exchange, List<PendingChallenge> pending, ChallengeResponse proof) throws IOException {
        for (PendingChallenge each : pending) {
            if (!common.effort().tryAcquire(exchange.call(), proof.micros())) {
                break;
            }
            if (proof.check().of(identities, each.nonce(), each.digest()) == ResponseCode.SUCCESS) {
                return each;
            }
        }
        return pending.getFirst();
    }

    private ResponseCode check(HandleExchange exchange, ChallengeResponse proof, PendingChallenge challenge) throws IOException {
        long sender = exchange.call().subscriber();
        if (!exchange.tryAcquire(proof.micros())) {
            return ResponseCode.BUSY;
        }
        ResponseCode code = proof.check().of(identities, challenge.nonce(), challenge.digest());
        if (code == ResponseCode.SUCCESS) {
            counts.add(HandleServiceCount.PROOFS_RIGHT);
            exchange.validated();
            exchange.session().ifPresent(session -> session.bind(proof.who()));
        } else {
            counts.add(HandleServiceCount.PROOFS_WRONG);
            common.effort().wrongProof(sender);
        }
        return code;
    }

    private void verify(HandleExchange exchange, MessageBody.Verify verify) throws IOException {
        SecretKeyProof answer;
        try {
            answer = SecretKeyProof.read(verify.answer());
        } catch (Malformed e) {
            exchange.refuse(ResponseCode.BAD_CREDENTIAL, e.reason());
            return;
        }
        long sender = exchange.call().subscriber();
        if (!exchange.tryAcquire(ChallengeResponse.micros(answer))) {
            exchange.refuse(ResponseCode.BUSY, "");
            return;
        }
        boolean right = identities.checkHere(verify.key(), answer, verify.nonce(), verify.digest());
        counts.add(right ? HandleServiceCount.PROOFS_RIGHT : HandleServiceCount.PROOFS_WRONG);
        if (!right) {
            common.effort().wrongProof(sender);
        }
        exchange.answer(ResponseCode.SUCCESS, new MessageBody.Verified(right));
    }

    private void takeKey(HandleExchange exchange, MessageBody.Key key) throws IOException {
        Optional<HandleSession> session = exchange.session().or(() -> sessions.waiting(exchange.call().subscriber()));
        if (session.isEmpty()) {
            exchange.refuse(ResponseCode.SESSION_TIMED_OUT, "");
        } else {
            setup.take(exchange, session.get(), key.encrypted());
        }
    }

    private void endSession(HandleExchange exchange) throws IOException {
        if (exchange.session().isEmpty()) {
            exchange.refuse(ResponseCode.SESSION_TIMED_OUT, "");
            return;
        }
        sessions.close(exchange.session().get());
        exchange.answer(ResponseCode.SUCCESS, new MessageBody.Empty());
    }

    private void replicate(HandleExchange exchange, Principal caller) throws IOException {
        ResponseCode code = rights.check(caller, new RequiredAccess.Mirroring());
        if (code != ResponseCode.SUCCESS) {
            tell(exchange, HandleResult.of(code, exchange.handle(), ""));
            return;
        }
        ValueReference mirror = switch (caller) {
            case Principal.Proven proven -> proven.identity();
            case Principal.Claimed claimed -> claimed.identity();
            case Principal.Anonymous _ -> throw new IllegalStateException("an anonymous client may not follow this server");
        };
        replication.answer(exchange.call(), exchange.request(), mirror, exchange);
    }
}
