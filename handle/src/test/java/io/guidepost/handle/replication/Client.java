package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.authentication.PublicKeyAnswer;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.Header;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
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
record Client(int port, ValueReference who, KeyPair key) {
    Message ask(Operation operation, Body body) throws Exception {
        return askForAll(operation, body).getFirst();
    }

    private List<Message> askForAll(Operation operation, Body body) throws Exception {
        List<Message> answers = send(message(0, operation, body));
        Message first = answers.getFirst();
        if (first.responseCode().orElseThrow() != ResponseCode.CHALLENGE) {
            return answers;
        }
        byte[] nonce = ((Body.Challenge) first.body()).nonce();
        PublicKeyAnswer answer = PublicKeyAnswer.sign(
                key.getPrivate(), ProtocolVersion.CURRENT, nonce, first.requestDigest().orElseThrow().digest());
        return send(message(
                first.envelope().sessionId(),
                Operation.ANSWER_CHALLENGE,
                new Body.Answer("HS_PUBKEY", who, answer.write())));
    }

    /** Does something that must be done. */
    void perform(Operation operation, Body body) throws Exception {
        Message answer = ask(operation, body);
        if (answer.responseCode().orElseThrow() != ResponseCode.SUCCESS) {
            throw new IOException(operation + " " + body + ": " + answer.responseCode() + " " + answer.body());
        }
    }

    private static Message message(int session, Operation operation, Body body) {
        return Message.of(
                new Envelope(
                        ProtocolVersion.CURRENT, ProtocolVersion.CURRENT, false, false, false, session, 77, 0, 0),
                Header.request(operation, System.currentTimeMillis() / 1000 + 3600),
                body);
    }

    private List<Message> send(Message request) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.write());
            InputStream in = socket.getInputStream();
            List<Message> answers = new ArrayList<>();
            do {
                byte[] envelope = in.readNBytes(Envelope.BYTES);
                int length = Envelope.readPrefix(new WireReader(envelope)).length();
                byte[] message = Arrays.copyOf(envelope, Envelope.BYTES + length);
                System.arraycopy(in.readNBytes(length), 0, message, Envelope.BYTES, length);
                answers.add(Message.read(message));
            } while (answers.getLast().header().has(OpFlag.CONT));
            return answers;
        }
    }

    /** Whether it answers, and has a handle. */
    boolean has(String handle) {
        try {
            return ask(Operation.RESOLVE, new Body.Resolve(Handle.of(handle), List.of(), List.of()))
                            .responseCode()
                            .orElseThrow()
                    == ResponseCode.SUCCESS;
        } catch (Exception e) {
            return false;
        }
    }

    /** All values of the handles of a prefix, in the order of their indexes, by folded handle. */
    Map<String, List<HandleValue>> contents(String prefix) throws Exception {
        Map<String, List<HandleValue>> contents = new TreeMap<>();
        for (Message each : askForAll(Operation.LIST_HANDLES, new Body.Named(Handle.ofPrefix(prefix)))) {
            if (!(each.body() instanceof Body.Handles(List<Handle> handles))) {
                throw new IOException("no list of " + prefix + ": " + each.responseCode() + " " + each.body());
            }
            for (Handle handle : handles) {
                Message found = ask(Operation.RESOLVE, new Body.Resolve(handle, List.of(), List.of()));
                List<HandleValue> values = found.body() instanceof Body.Values it ? it.values() : List.of();
                contents.put(
                        new String(handle.folded(), StandardCharsets.UTF_8),
                        values.stream().sorted(Comparator.comparingInt(HandleValue::index)).toList());
            }
        }
        return contents;
    }

    /** The prefixes at home. */
    List<String> homes() throws Exception {
        Message answer = ask(Operation.LIST_PREFIXES, new Body.Named(Handle.SLASH));
        if (!(answer.body() instanceof Body.Handles(List<Handle> handles))) {
            throw new IOException("no list of prefixes: " + answer.responseCode() + " " + answer.body());
        }
        return handles.stream().map(Handle::toString).sorted().toList();
    }
}
