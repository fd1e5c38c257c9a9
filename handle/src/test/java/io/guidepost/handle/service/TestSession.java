package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.PublicKeyAnswer;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.Header;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
import java.security.KeyPair;
import java.security.PrivateKey;

/** The client's side of a session with a server in this process. */
final class TestSession {
    final TestServer server;
    final int id;
    final SessionKey key;
    int counter;

    /** Begins a session by Diffie and Hellman's method. */
    TestSession(TestServer server) throws Exception {
        this.server = server;
        KeyPair pair = DiffieHellman.clientKeys(server.random);
        Body setup = new Body.Setup(
                new KeyExchange.DiffieHellman(PublicKeyRecord.of(pair.getPublic()).write()), 3600, TestServer.RSA);
        Message answer = server.ask(request(0, Operation.SET_UP_SESSION, setup));
        this.id = answer.envelope().sessionId();
        DiffieHellman.Reply reply = DiffieHellman.Reply.read(((Body.SetupReply) answer.body()).data());
        this.key = DiffieHellman.agree(pair.getPrivate(), reply.publicKey(), reply.cipher());
    }

    static Message request(int session, Operation operation, Body body, OpFlag... flags) {
        return Message.of(Envelope.of(session, 0x01020304), Header.request(operation, 0x7fffffff, flags), body);
    }

    /** A request in the session, with the next number. */
    Message sealed(Operation operation, Body body, OpFlag... flags) {
        return key.seal(request(id, operation, body, flags), ++counter);
    }

    /** The answer to a challenge of a request, with the private key of 300:1234/ADMIN. */
    static Message answer(Message challenge) throws Exception {
        return answer(challenge, TestServer.RSA, TestServer.RSA_KEYS.getPrivate());
    }

    static Message answer(Message challenge, ValueReference who, PrivateKey with) throws Exception {
        byte[] proof = PublicKeyAnswer.sign(
                        with,
                        ProtocolVersion.CURRENT,
                        ((Body.Challenge) challenge.body()).nonce(),
                        challenge.requestDigest().orElseThrow().digest())
                .write();
        return request(
                challenge.envelope().sessionId(),
                Operation.ANSWER_CHALLENGE,
                new Body.Answer("HS_PUBKEY", who, proof));
    }

    /** Shows that the session is that of 300:1234/ADMIN. */
    void bind() throws Exception {
        Body body = new Body.Named(Handle.SLASH);
        Message challenge = server.ask(sealed(Operation.LIST_PREFIXES, body));
        Message answer = server.ask(answer(challenge));
        if (TestServer.code(answer) != ResponseCode.SUCCESS) {
            throw new AssertionError(answer.toString());
        }
    }
}
