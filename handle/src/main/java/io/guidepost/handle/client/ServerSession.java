package io.guidepost.handle.client;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.RequestDigest;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client's session with one server: sends requests, answers challenges, and verifies responses. Thread-safe.
 *
 * <p>A server challenges a request that needs rights; the response to the challenge goes by the same transport and
 * returns the result of the request. In a session each message has a counter and a MAC, and one challenge authenticates
 * all that follow. If the server has lost the session, the client sets up a new one, once.
 */
final class ServerSession implements AutoCloseable {
    private static final int SESSION_SECONDS = 86_400;

    private final List<HandleEndpoint> endpoints;
    private final List<HandleTransport> carriers;
    private final HandleClientSettings settings;
    private final Optional<PublicKey> knownKey;
    private @Nullable PublicKey askedKey;
    private @Nullable SessionState session;

    /**
     * A request in flight.
     *
     * @param clear its bytes, whose header and body the digest covers
     * @param sent its bytes as sent: encrypted, or the same
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Request(HandleOperation operation, int flags, int recursion, int id, byte[] clear, byte[] sent) {}

    /** The state of a session. */
    private static final class SessionState {
        private final int id;
        private final SessionKey key;
        private final AtomicInteger counter = new AtomicInteger();

        /**
         * Held from a request that may be challenged to its response, until the session has an identity: a server keeps
         * one challenge for a session.
         */
        private final ReentrantLock unbound = new ReentrantLock();

        private volatile boolean bound;

        SessionState(int id, SessionKey key) {
            this.id = id;
            this.key = key;
        }
    }

    /** Creates it over the interfaces of one server, the preferred ones first; at least one. */
    ServerSession(List<HandleEndpoint> endpoints, List<HandleTransport> carriers, HandleClientSettings settings) {
        this.endpoints = List.copyOf(endpoints);
        this.carriers = List.copyOf(carriers);
        this.settings = settings;
        this.knownKey = endpoints.getFirst().key();
    }

    /** Sends a request and returns the final response: never a challenge if the client has an identity. */
    HandleMessage ask(HandleOperation operation, MessageBody body, int flags, int recursion) throws IOException {
        Optional<SessionState> used = session();
        HandleMessage answer = askBy(used, operation, body, flags, recursion);
        if (used.isPresent()) {
            Optional<ResponseCode> code = answer.responseCode();
            if (code.equals(Optional.of(ResponseCode.SESSION_TIMED_OUT))) {
                forget(used.get());
                return askBy(session(), operation, body, flags, recursion);
            }
            // The counter fell behind the server's replay window, so the request was not executed: it gets another
            // counter.
            if (code.equals(Optional.of(ResponseCode.DUPLICATE_MESSAGE))) {
                return askBy(used, operation, body, flags, recursion);
            }
        }
        return answer;
    }

    private HandleMessage askBy(
            Optional<SessionState> used, HandleOperation operation, MessageBody body, int flags, int recursion)
            throws IOException {
        if (used.isEmpty() || used.get().bound || OpFlag.PUBL.in(flags) || settings.identity().isEmpty()) {
            return askByCarriers(used, operation, body, flags, recursion);
        }
        used.get().unbound.lock();
        try {
            return askByCarriers(used, operation, body, flags, recursion);
        } finally {
            used.get().unbound.unlock();
        }
    }

    /** Tries one transport after the other, as long as a failed attempt cannot have had an effect. */
    private HandleMessage askByCarriers(
            Optional<SessionState> used, HandleOperation operation, MessageBody body, int flags, int recursion)
            throws IOException {
        boolean repeatable = !operation.isAdmin();
        IOException first = null;
        for (int i : order(operation)) {
            try {
                return askBy(carriers.get(i), used, operation, body, flags, recursion);
            } catch (IOException e) {
                if (!repeatable || e instanceof Distrusted) {
                    throw e;
                }
                first = first == null ? e : first;
            }
        }
        throw first == null ? new IOException("the server has no interface for this") : first;
    }

    /** Orders the transports. Changes prefer connections: a duplicated datagram would be executed twice. */
    private List<Integer> order(HandleOperation operation) {
        List<Integer> streams = new ArrayList<>();
        List<Integer> datagrams = new ArrayList<>();
        boolean change = operation.isAdmin() || operation == HandleOperation.SET_UP_SESSION;
        for (int i = 0; i < endpoints.size(); i++) {
            HandleEndpoint each = endpoints.get(i);
            if (change ? each.admin() : each.query()) {
                (each.transport() == SiteInterface.Transport.UDP ? datagrams : streams).add(i);
            }
        }
        if (change || !settings.datagrams) {
            return streams.isEmpty() ? datagrams : streams.subList(0, change ? 1 : streams.size());
        }
        datagrams.addAll(streams);
        return datagrams;
    }

    private HandleTransport carrierOf(HandleOperation operation) throws IOException {
        List<Integer> order = order(operation);
        if (order.isEmpty()) {
            throw new IOException("the server has no interface for this");
        }
        return carriers.get(order.getFirst());
    }

    private HandleMessage askBy(
            HandleTransport carrier,
            Optional<SessionState> used,
            HandleOperation operation,
            MessageBody body,
            int flags,
            int recursion)
            throws IOException {
        int sessionId = used.map(each -> each.id).orElse(0);
        Request request = request(used, operation, body, kept(carrier, flags), recursion, sessionId);
        HandleMessage answer = open(used, request, carrier.ask(request.sent(), !operation.isAdmin()));
        if (!isChallenge(answer) || settings.identity().isEmpty()) {
            return answer;
        }
        Request proof = proof(used, request, answer);
        HandleMessage proven = open(used, proof, carrier.ask(proof.sent(), false));
        bindIfDone(used, proven);
        return proven;
    }

    /** Adds keep-alive on persistent connections: otherwise the server closes one under the requests that follow. */
    private static int kept(HandleTransport carrier, int flags) throws IOException {
        return carrier.keepsConnections() ? flags | OpFlag.KPAL.bit() : flags;
    }

    /**
     * Requests a list, which comes in many messages.
     *
     * @param each takes the successful parts; false ends the list
     * @return the last message, or the one that refuses the list
     */
    HandleMessage askForAll(HandleOperation operation, MessageBody body, Predicate<HandleMessage> each) throws IOException {
        Optional<SessionState> used = session();
        HandleTransport carrier = carrierOf(operation);
        Request request = request(used, operation, body, 0, 0, used.map(state -> state.id).orElse(0));
        HandleMessage last = readAll(carrier, used, request, each);
        if (!isChallenge(last) || settings.identity().isEmpty()) {
            return last;
        }
        last = readAll(carrier, used, proof(used, request, last), each);
        bindIfDone(used, last);
        return last;
    }

    private HandleMessage readAll(HandleTransport carrier, Optional<SessionState> used, Request request, Predicate<HandleMessage> each)
            throws IOException {
        HandleMessage[] last = new HandleMessage[1];
        carrier.requestAll(request.sent(), bytes -> {
            HandleMessage answer = open(used, request, bytes);
            last[0] = answer;
            boolean done = answer.responseCode().equals(Optional.of(ResponseCode.SUCCESS));
            return done && each.test(answer) && answer.header().has(OpFlag.CONT);
        });
        return last[0];
    }

    private static boolean isChallenge(HandleMessage answer) {
        return answer.responseCode().equals(Optional.of(ResponseCode.CHALLENGE));
    }

    private static void bindIfDone(Optional<SessionState> used, HandleMessage answer) {
        boolean refused = answer.header().responseCode() >= ResponseCode.CHALLENGE.number()
                && answer.header().responseCode() <= ResponseCode.CANNOT_AUTHENTICATE.number();
        if (!refused) {
            used.ifPresent(each -> each.bound = true);
        }
    }

    private Request request(
            Optional<SessionState> used, HandleOperation operation, MessageBody body, int flags, int recursion, int sessionId) {
        int id = 1 + HandleClientSettings.RANDOM.nextInt(Integer.MAX_VALUE);
        int wanted = flags;
        if (settings.certified) {
            wanted |= OpFlag.of(OpFlag.CERT, OpFlag.RRDG);
        }
        boolean encrypt = used.isPresent() && settings.encrypted();
        if (encrypt) {
            wanted |= OpFlag.of(OpFlag.ENCR, OpFlag.CERT);
        }
        HandleMessage message = HandleMessage.of(
                HandleEnvelope.of(sessionId, id),
                new MessageHeader(operation.number(), 0, wanted, MessageHeader.SERIAL_UNKNOWN, recursion, expiry()),
                body);
        byte[] clear = used.isPresent() ? used.get().key.seal(message, used.get().counter.incrementAndGet()).write() : message.write();
        byte[] sent = encrypt ? used.get().key.encrypt(clear, HandleClientSettings.RANDOM) : clear;
        return new Request(operation, wanted, recursion, id, clear, sent);
    }

    private long expiry() {
        return Instant.now().getEpochSecond() + HandleClient.REQUEST_SECONDS;
    }

    /**
     * Returns the response to a challenge. The challenge must be for this request: otherwise an attacker could have the
     * client sign another one.
     */
    private Request proof(Optional<SessionState> used, Request request, HandleMessage challenge) throws IOException {
        if (!(challenge.body() instanceof MessageBody.Challenge asked) || challenge.requestDigest().isEmpty()) {
            throw new IOException("the server's challenge is of an unsupported version");
        }
        RequestDigest digest = challenge.requestDigest().get();
        if (!digest.equals(RequestDigest.of(digest.algorithm(), request.clear()))) {
            throw new Distrusted("the server's challenge is not one to this request");
        }
        ClientIdentity identity = settings.identity().orElseThrow();
        MessageBody.Answer answer = identity.answer(
                challenge.envelope().version(), asked.nonce(), digest.digest(), HandleClientSettings.RANDOM);
        return request(
                used,
                HandleOperation.ANSWER_CHALLENGE,
                answer,
                request.flags(),
                request.recursion(),
                challenge.envelope().sessionId());
    }

    /** Parses a response and verifies its signature, MAC and digest. */
    private HandleMessage open(Optional<SessionState> used, Request request, byte[] received) throws IOException {
        try {
            boolean encrypted = HandleEnvelope.readPrefix(new WireReader(received)).encrypted();
            if (encrypted && used.isEmpty()) {
                throw new IOException("the answer is encrypted, and there is no session");
            }
            byte[] clear = encrypted ? used.orElseThrow().key.decrypt(received) : received;
            HandleMessage answer = HandleMessage.read(clear);
            if (answer.envelope().requestId() != request.id()) {
                throw new IOException("the server could not read the request: " + HandleClient.text(answer));
            }
            if (answer.header().isRequest()) {
                throw new IOException("the server answered with a request");
            }
            // A server that lost the session cannot authenticate that response; its only consequence is a new session.
            boolean provable = answer.header().responseCode() < ResponseCode.SESSION_TIMED_OUT.number();
            if (provable && (settings.certified || used.isPresent() && settings.encrypted())) {
                check(used, request, clear, answer);
            }
            return answer;
        } catch (Malformed e) {
            throw new IOException("the answer cannot be read: " + e.getMessage(), e);
        }
    }

    private void check(Optional<SessionState> used, Request request, byte[] clear, HandleMessage answer)
            throws IOException {
        boolean right = used.isPresent()
                ? used.get().key.verifies(clear, answer)
                : MessageSignature.verifies(clear, answer, key(answer), false);
        if (!right) {
            throw new Distrusted("the answer is not signed by the server, or was changed on its way");
        }
        boolean digestWanted = request.operation() != HandleOperation.ANSWER_CHALLENGE && OpFlag.RRDG.in(request.flags());
        Optional<RequestDigest> digest = answer.requestDigest();
        if (digestWanted
                && digest.isPresent()
                && !digest.get().equals(RequestDigest.of(digest.get().algorithm(), request.clear()))) {
            throw new Distrusted("the answer is one to another request");
        }
        if (answer.header().expirySeconds() < Instant.now().getEpochSecond()) {
            throw new Distrusted("the answer has expired: look at the clocks");
        }
    }

    /** A wrong signature, MAC or digest: another transport to the same server does not help. */
    private static final class Distrusted extends IOException {
        Distrusted(String message) {
            super(message);
        }
    }

    /** Returns the server's key: from the site's description, or from the server itself on first use. */
    private PublicKey key(HandleMessage answer) throws IOException {
        if (knownKey.isPresent()) {
            return knownKey.get();
        }
        return answer.body() instanceof MessageBody.Site site ? keyIn(site.site()) : key();
    }

    private synchronized PublicKey key() throws IOException {
        if (knownKey.isPresent()) {
            return knownKey.get();
        }
        if (askedKey == null) {
            HandleMessage answer =
                    askByCarriers(Optional.empty(), HandleOperation.GET_SITE, new MessageBody.Named(Handle.SLASH), 0, 0);
            if (!(answer.body() instanceof MessageBody.Site site)) {
                throw new IOException("the server does not describe its site: " + HandleClient.text(answer));
            }
            askedKey = keyIn(site.site());
        }
        return askedKey;
    }

    private PublicKey keyIn(SiteRecord site) throws IOException {
        Optional<SiteServer> same = site.servers().stream()
                .filter(each -> each.interfaces().stream()
                        .anyMatch(way -> way.port() == endpoints.getFirst().address().getPort()))
                .findFirst();
        Optional<SiteServer> server = same.or(() -> site.servers().stream().findFirst());
        try {
            return PublicKeyRecord.read(server.orElseThrow(() -> new IOException("the site has no server"))
                            .publicKey())
                    .key();
        } catch (Malformed e) {
            throw new IOException("the site of the server has no key that can be read: " + e.getMessage(), e);
        }
    }

    private synchronized Optional<SessionState> session() throws IOException {
        if (!settings.session) {
            return Optional.empty();
        }
        if (session == null) {
            session = begin();
        }
        return Optional.of(session);
    }

    private synchronized void forget(SessionState lost) {
        if (session == lost) {
            session = null;
        }
    }

    private SessionState begin() throws IOException {
        try {
            KeyPair own = DiffieHellman.clientKeys(HandleClientSettings.RANDOM);
            ValueReference who = settings.identity()
                    .map(ClientIdentity::who)
                    .orElse(new ValueReference(Handle.NONE, ValueReference.ANONYMOUS));
            PublicKeyRecord.Dh mine = (PublicKeyRecord.Dh) PublicKeyRecord.of(own.getPublic());
            MessageBody setup = new MessageBody.Setup(new KeyExchange.DiffieHellman(mine.write()), SESSION_SECONDS, who);
            HandleTransport carrier = carrierOf(HandleOperation.SET_UP_SESSION);
            int flags = kept(carrier, OpFlag.of(OpFlag.CERT, OpFlag.RRDG));
            Request request = request(Optional.empty(), HandleOperation.SET_UP_SESSION, setup, flags, 0, 0);
            byte[] received = carrier.ask(request.sent(), true);
            HandleMessage answer = open(Optional.empty(), request, received);
            if (!(answer.body() instanceof MessageBody.SetupReply reply)) {
                throw new IOException("the server refuses a session: " + HandleClient.text(answer));
            }
            if (!settings.certified) {
                check(Optional.empty(), request, received, answer);
            }
            DiffieHellman.Reply theirs = DiffieHellman.Reply.read(reply.data());
            if (!theirs.publicKey().p().equals(mine.p()) || !theirs.publicKey().g().equals(mine.g())) {
                throw new Distrusted("the server answered with another Diffie-Hellman group");
            }
            SessionKey key = DiffieHellman.agree(own.getPrivate(), theirs.publicKey(), theirs.cipher());
            return new SessionState(answer.envelope().sessionId(), key);
        } catch (GeneralSecurityException e) {
            throw new IOException("the session setup failed: " + e.getMessage(), e);
        } catch (Malformed e) {
            throw new IOException("the answer to the session setup cannot be read: " + e.getMessage(), e);
        }
    }

    /** Ends the session, if there is one; it does no harm if the server never learns of it. */
    void endSession() {
        SessionState ending;
        synchronized (this) {
            ending = session;
            session = null;
        }
        if (ending != null) {
            try {
                askByCarriers(Optional.of(ending), HandleOperation.END_SESSION, new MessageBody.Named(Handle.SLASH), 0, 0);
            } catch (IOException e) {
                System.getLogger(ServerSession.class.getName())
                        .log(System.Logger.Level.DEBUG, "a session was not ended: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        endSession();
        carriers.forEach(HandleTransport::close);
    }
}
