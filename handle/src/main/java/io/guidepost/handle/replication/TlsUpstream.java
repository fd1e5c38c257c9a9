package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.PinnedKeyTrustManager;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageFraming;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.RequestDigest;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLSocket;

/**
 * Requests streams from a source over TCP: a request, the response to its challenge on a second connection, and then
 * the stream in TLS, which proves that the source has the key in its site's description. Thread-safe.
 *
 * @param source address of its administrative interface over TCP
 * @param key its public key, from the description of its site
 * @param who reference of the value with this mirror's public key, which the source must permit
 * @param secret its private key
 * @param timeoutMillis timeout of a connection, and of the next bytes
 * @param clock of message times
 * @param random source of request ids
 */
public record TlsUpstream(
        InetSocketAddress source,
        PublicKey key,
        ValueReference who,
        PrivateKey secret,
        int timeoutMillis,
        InstantSource clock,
        RandomGenerator random)
        implements ReplicationUpstream {
    /** The timeout of existing clients. */
    public static final int TIMEOUT_MILLIS_USUAL = 60_000;

    private static final int EXPIRY_SECONDS = 43_200;
    private static final int BUFFER_BYTES = 64 * 1024;

    @Override
    public InputStream ask(HandleOperation operation, MessageBody body) throws IOException, Malformed {
        byte[] request = request(0, operation, body).write();
        byte[] sent = request;
        for (boolean proven = false; ; proven = true) {
            Socket socket = connect();
            boolean kept = false;
            try {
                socket.getOutputStream().write(sent);
                HandleMessage answer = HandleMessage.read(message(socket.getInputStream()));
                if (answer.responseCode().filter(ResponseCode.SUCCESS::equals).isPresent()) {
                    kept = true;
                    return stream(socket);
                }
                if (proven) {
                    throw refused(answer);
                }
                sent = request(answer.envelope().sessionId(), HandleOperation.ANSWER_CHALLENGE, prove(request, answer))
                        .write();
            } finally {
                if (!kept) {
                    socket.close();
                }
            }
        }
    }

    private HandleMessage request(int session, HandleOperation operation, MessageBody body) {
        HandleEnvelope envelope = HandleEnvelope.of(session, 1 + random.nextInt(Integer.MAX_VALUE - 1));
        long expiry = clock.instant().getEpochSecond() + EXPIRY_SECONDS;
        return HandleMessage.of(envelope, MessageHeader.request(operation, expiry, OpFlag.CACR), body);
    }

    /** Signs the response to a challenge, if the challenge is for the request that was sent. */
    private MessageBody prove(byte[] request, HandleMessage challenge) throws IOException {
        if (!(challenge.body() instanceof MessageBody.Challenge(byte[] nonce))
                || challenge.requestDigest().isEmpty()) {
            throw refused(challenge);
        }
        RequestDigest digest = challenge.requestDigest().get();
        if (!digest.equals(RequestDigest.of(digest.algorithm(), request))) {
            throw new IOException(source + " challenges another request than the one that was sent");
        }
        return new ClientIdentity.KeyHolder(who, secret).answer(ProtocolVersion.CURRENT, nonce, digest.digest(), random);
    }

    private IOException refused(HandleMessage answer) {
        String code = answer.responseCode().map(ResponseCode::text).orElse("an unknown code");
        String text = answer.body() instanceof MessageBody.Text(String more) && !more.isEmpty() ? ": " + more : "";
        return new IOException(source + " refuses " + who + ": " + code + text);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(source, timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw new IOException(source + " cannot be reached: " + e.getMessage(), e);
        }
    }

    private static byte[] message(InputStream in) throws IOException {
        return MessageFraming.read(in).orElseThrow(() -> new EOFException("the connection ended inside of an answer"));
    }

    /** Upgrades a connection to TLS; its message must have been read to the last byte and no further. */
    private InputStream stream(Socket plain) throws IOException, Malformed {
        byte[] mark = plain.getInputStream().readNBytes(ReplicationServer.tlsMark().length);
        if (!Arrays.equals(mark, ReplicationServer.tlsMark())) {
            plain.close();
            throw new Malformed("a replication stream begins with 544c5300 and continues in TLS", 0);
        }
        try {
            SSLSocket secure = (SSLSocket) PinnedKeyTrustManager.context(key).getSocketFactory()
                    .createSocket(plain, source.getHostString(), source.getPort(), true);
            secure.startHandshake();
            return new FilterInputStream(new BufferedInputStream(secure.getInputStream(), BUFFER_BYTES)) {
                @Override
                public void close() throws IOException {
                    // Without the close_notify of TLS, as a source that still sends would delay it.
                    plain.close();
                }
            };
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }
}
