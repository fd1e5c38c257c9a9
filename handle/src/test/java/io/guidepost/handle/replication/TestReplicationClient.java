package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Asks a server, ours or another, as an administrator. */
record TestReplicationClient(int port, ValueReference who, KeyPair key) {
    HandleMessage ask(HandleOperation operation, MessageBody body) throws Exception {
        return askForAll(operation, body).getFirst();
    }

    private List<HandleMessage> askForAll(HandleOperation operation, MessageBody body) throws Exception {
        List<HandleMessage> answers = send(message(0, operation, body));
        HandleMessage first = answers.getFirst();
        if (first.responseCode().orElseThrow() != ResponseCode.CHALLENGE) {
            return answers;
        }
        byte[] nonce = ((MessageBody.Challenge) first.body()).nonce();
        PublicKeyProof answer = PublicKeyProof.sign(
                key.getPrivate(), ProtocolVersion.CURRENT, nonce, first.requestDigest().orElseThrow().digest());
        return send(message(
                first.envelope().sessionId(),
                HandleOperation.ANSWER_CHALLENGE,
                new MessageBody.Answer("HS_PUBKEY", who, answer.write())));
    }

    /** Does something that must be done. */
    void perform(HandleOperation operation, MessageBody body) throws Exception {
        HandleMessage answer = ask(operation, body);
        if (answer.responseCode().orElseThrow() != ResponseCode.SUCCESS) {
            throw new IOException(operation + " " + body + ": " + answer.responseCode() + " " + answer.body());
        }
    }

    private static HandleMessage message(int session, HandleOperation operation, MessageBody body) {
        return HandleMessage.of(
                new HandleEnvelope(
                        ProtocolVersion.CURRENT, ProtocolVersion.CURRENT, false, false, false, session, 77, 0, 0),
                MessageHeader.request(operation, System.currentTimeMillis() / 1000 + 3600),
                body);
    }

    private List<HandleMessage> send(HandleMessage request) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.write());
            InputStream in = socket.getInputStream();
            List<HandleMessage> answers = new ArrayList<>();
            do {
                byte[] envelope = in.readNBytes(HandleEnvelope.BYTES);
                int length = HandleEnvelope.readPrefix(new WireReader(envelope)).length();
                byte[] message = Arrays.copyOf(envelope, HandleEnvelope.BYTES + length);
                System.arraycopy(in.readNBytes(length), 0, message, HandleEnvelope.BYTES, length);
                answers.add(HandleMessage.read(message));
            } while (answers.getLast().header().has(OpFlag.CONT));
            return answers;
        }
    }

    /** Whether it answers, and has a handle. */
    boolean has(String handle) {
        try {
            return ask(HandleOperation.RESOLVE, new MessageBody.Resolve(Handle.of(handle), List.of(), List.of()))
                            .responseCode()
                            .orElseThrow()
                    == ResponseCode.SUCCESS;
        } catch (Exception e) {
            return false;
        }
    }

    /** Whether it knows its administrator: the reference server resolves the key of its own when it is asked first. */
    boolean trusts() {
        try {
            return !homes().isEmpty();
        } catch (Exception e) {
            return false;
        }
    }

    /** All values of the handles of a prefix, in the order of their indexes, by folded handle. */
    Map<String, List<HandleValue>> contents(String prefix) throws Exception {
        Map<String, List<HandleValue>> contents = new TreeMap<>();
        for (HandleMessage each : askForAll(HandleOperation.LIST_HANDLES, new MessageBody.Named(Handle.ofPrefix(prefix)))) {
            if (!(each.body() instanceof MessageBody.Handles(List<Handle> handles))) {
                throw new IOException("no list of " + prefix + ": " + each.responseCode() + " " + each.body());
            }
            for (Handle handle : handles) {
                HandleMessage found = ask(HandleOperation.RESOLVE, new MessageBody.Resolve(handle, List.of(), List.of()));
                List<HandleValue> values = found.body() instanceof MessageBody.Values it ? it.values() : List.of();
                contents.put(
                        new String(handle.folded(), StandardCharsets.UTF_8),
                        values.stream().sorted(Comparator.comparingInt(HandleValue::index)).toList());
            }
        }
        return contents;
    }

    /** The prefixes at home. */
    List<String> homes() throws Exception {
        HandleMessage answer = ask(HandleOperation.LIST_PREFIXES, new MessageBody.Named(Handle.SLASH));
        if (!(answer.body() instanceof MessageBody.Handles(List<Handle> handles))) {
            throw new IOException("no list of prefixes: " + answer.responseCode() + " " + answer.body());
        }
        return handles.stream().map(Handle::toString).sorted().toList();
    }
}
