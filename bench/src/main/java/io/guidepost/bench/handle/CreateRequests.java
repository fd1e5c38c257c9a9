package io.guidepost.bench.handle;

import io.guidepost.base.Malformed;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Requests that create handles in sessions with MACs, {@code PREFIX0}, {@code PREFIX1} and so on, each once; existing ones are
 * replaced. They are made ahead: while a server is measured, nothing but the program in C sends.
 */
final class CreateRequests {
    /** Sessions, which connections share: their setup is arithmetic that a server bounds. */
    private static final int SESSIONS_MAX = 8;

    private static final int SESSION_SECONDS = 86_400;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final InetSocketAddress server;
    private final String prefix;
    private final OpFlag[] flags;
    private final List<Session> sessions = new ArrayList<>();
    private byte[] answer = new byte[0];
    private int made;

    /** A session, with the number of its last message. */
    private static final class Session {
        final int id;
        final SessionKey key;
        int counter;

        Session(int id, SessionKey key) {
            this.id = id;
            this.key = key;
        }
    }

    /**
     * Begins the sessions.
     *
     * @param keeps whether connections stay open
     */
    CreateRequests(InetSocketAddress server, String prefix, ClientIdentity who, int clients, boolean keeps) {
        this.server = server;
        this.prefix = prefix;
        this.flags = keeps ? new OpFlag[] {OpFlag.OVRW, OpFlag.KPAL} : new OpFlag[] {OpFlag.OVRW};
        try {
            for (int i = 0; i < Math.min(clients, SESSIONS_MAX); i++) {
                sessions.add(begin(who));
            }
        } catch (IOException | GeneralSecurityException | Malformed e) {
            throw new BenchFailure("cannot begin a session with " + server + ": " + e.getMessage(), e);
        }
    }

    private Session begin(ClientIdentity who) throws IOException, GeneralSecurityException, Malformed {
        KeyPair own = DiffieHellman.clientKeys(RANDOM);
        MessageBody setup = new MessageBody.Setup(
                new KeyExchange.DiffieHellman(PublicKeyRecord.of(own.getPublic()).write()), SESSION_SECONDS, who.who());
        HandleMessage answer = ask(request(0, HandleOperation.SET_UP_SESSION, setup));
        if (!(answer.body() instanceof MessageBody.SetupReply reply)) {
            throw refused(answer);
        }
        DiffieHellman.Reply theirs = DiffieHellman.Reply.read(reply.data());
        Session session = new Session(
                answer.envelope().sessionId(), DiffieHellman.agree(own.getPrivate(), theirs.publicKey(), theirs.cipher()));
        HandleMessage challenge = ask(creation(session));
        if (!(challenge.body() instanceof MessageBody.Challenge asked)) {
            throw refused(challenge);
        }
        MessageBody proof = who.answer(
                challenge.envelope().version(), asked.nonce(), challenge.requestDigest().orElseThrow().digest(), RANDOM);
        HandleMessage created = ask(request(session.id, HandleOperation.ANSWER_CHALLENGE, proof));
        if (!created.responseCode().equals(Optional.of(ResponseCode.SUCCESS))) {
            throw refused(created);
        }
        this.answer = created.write();
        return session;
    }

    private static BenchFailure refused(HandleMessage answer) {
        return new BenchFailure("the server refuses a session that creates handles: " + answer.header().responseCode());
    }

    private HandleMessage ask(HandleMessage message) throws IOException, Malformed {
        return HandleMessage.read(CapturedResponse.ofMessage(message.write(), server));
    }

    private HandleMessage request(int session, HandleOperation operation, MessageBody body, OpFlag... more) {
        long expiry = Instant.now().getEpochSecond() + SESSION_SECONDS;
        return HandleMessage.of(HandleEnvelope.of(session, made), MessageHeader.request(operation, expiry, more), body);
    }

    private HandleMessage creation(Session session) {
        int number = made++;
        MessageBody values = new MessageBody.Values(
                Handle.of(prefix + number), List.of(HandleValue.of(1, "URL", "http://www.example.org/landing/page/" + number)));
        return session.key.seal(request(session.id, HandleOperation.CREATE, values, flags), ++session.counter);
    }

    /** Returns the server's answer to one of them. */
    byte[] answer() {
        return answer.clone();
    }

    /** Writes requests to a file, each behind its length. */
    Path write(Path folder, int count) {
        try {
            Path file = Files.createTempFile(folder, "creations", "");
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
                for (int i = 0; i < count; i++) {
                    byte[] message = creation(sessions.get(i % sessions.size())).write();
                    out.writeInt(message.length);
                    out.write(message);
                }
            }
            return file;
        } catch (IOException e) {
            throw new BenchFailure("cannot write the questions: " + e.getMessage(), e);
        }
    }
}
