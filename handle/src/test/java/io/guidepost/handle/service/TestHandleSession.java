package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.security.KeyPair;
import java.security.PrivateKey;

/** The client's side of a session with a server in this process. */
final class TestHandleSession {
    final TestHandleServer server;
    final int id;
    final SessionKey key;
    int counter;

    /** Begins a session by Diffie and Hellman's method. */
    TestHandleSession(TestHandleServer server) throws Exception {
        this.server = server;
        KeyPair pair = DiffieHellman.clientKeys(server.random);
        MessageBody setup = new MessageBody.Setup(
                new KeyExchange.DiffieHellman(PublicKeyRecord.of(pair.getPublic()).write()), 3600, TestHandleServer.RSA);
        HandleMessage answer = server.ask(request(0, HandleOperation.SET_UP_SESSION, setup));
        this.id = answer.envelope().sessionId();
        DiffieHellman.Reply reply = DiffieHellman.Reply.read(((MessageBody.SetupReply) answer.body()).data());
        this.key = DiffieHellman.agree(pair.getPrivate(), reply.publicKey(), reply.cipher());
    }

    static HandleMessage request(int session, HandleOperation operation, MessageBody body, OpFlag... flags) {
        return HandleMessage.of(HandleEnvelope.of(session, 0x01020304), MessageHeader.request(operation, 0x7fffffff, flags), body);
    }

    /** A request in the session, with the next number. */
    HandleMessage sealed(HandleOperation operation, MessageBody body, OpFlag... flags) {
        return key.seal(request(id, operation, body, flags), ++counter);
    }

    /** The answer to a challenge of a request, with the private key of 300:1234/ADMIN. */
    static HandleMessage answer(HandleMessage challenge) throws Exception {
        return answer(challenge, TestHandleServer.RSA, TestHandleServer.RSA_KEYS.getPrivate());
    }

    static HandleMessage answer(HandleMessage challenge, ValueReference who, PrivateKey with) throws Exception {
        byte[] proof = PublicKeyProof.sign(
                        with,
                        ProtocolVersion.CURRENT,
                        ((MessageBody.Challenge) challenge.body()).nonce(),
                        challenge.requestDigest().orElseThrow().digest())
                .write();
        return request(
                challenge.envelope().sessionId(),
                HandleOperation.ANSWER_CHALLENGE,
                new MessageBody.Answer("HS_PUBKEY", who, proof));
    }

    /** Shows that the session is that of 300:1234/ADMIN. */
    void bind() throws Exception {
        MessageBody body = new MessageBody.Named(Handle.SLASH);
        HandleMessage challenge = server.ask(sealed(HandleOperation.LIST_PREFIXES, body));
        HandleMessage answer = server.ask(answer(challenge));
        if (TestHandleServer.code(answer) != ResponseCode.SUCCESS) {
            throw new AssertionError(answer.toString());
        }
    }
}
