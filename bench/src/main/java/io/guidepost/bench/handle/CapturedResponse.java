package io.guidepost.bench.handle;

import io.guidepost.bench.process.BenchFailure;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One response of a Handle server, which the C programs repeat. */
final class CapturedResponse {
    private static final int PACKET_BYTES_MAX = 512;
    private static final int ANSWER_MILLIS_MAX = 10_000;
    private static final int ENVELOPE_BYTES = 20;
    private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private CapturedResponse() {}

    /** Fetches the server's response to the first request. */
    static byte[] fetch(HandleBenchCommand.Way way, HandleRequests requests, InetSocketAddress server) throws IOException {
        byte[] request = CStreamGenerator.question(way, requests, 0, server);
        if (way == HandleBenchCommand.Way.UDP) {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.setSoTimeout(ANSWER_MILLIS_MAX);
                socket.send(new DatagramPacket(request, request.length, server));
                DatagramPacket packet = new DatagramPacket(new byte[PACKET_BYTES_MAX], PACKET_BYTES_MAX);
                socket.receive(packet);
                return Arrays.copyOf(packet.getData(), packet.getLength());
            }
        }
        return switch (way) {
            case HTTP_JSON, HTTP_NATIVE -> over(server, request, CapturedResponse::page);
            case UDP, TCP, TCP_KEEPALIVE, CREATE, CREATE_KEPT -> ofMessage(request, server);
        };
    }

    /** Returns the answer to one message over TCP. */
    static byte[] ofMessage(byte[] message, InetSocketAddress server) throws IOException {
        return over(server, message, CapturedResponse::message);
    }

    /** Reads a response. */
    @FunctionalInterface
    private interface Reading {
        byte[] from(DataInputStream in) throws IOException;
    }

    private static byte[] over(InetSocketAddress server, byte[] request, Reading reading) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server, ANSWER_MILLIS_MAX);
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.getOutputStream().write(request);
            return reading.from(new DataInputStream(socket.getInputStream()));
        }
    }

    private static byte[] message(DataInputStream in) throws IOException {
        byte[] envelope = in.readNBytes(ENVELOPE_BYTES);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(envelope);
        all.writeBytes(in.readNBytes(ByteBuffer.wrap(envelope).getInt(ENVELOPE_BYTES - Integer.BYTES)));
        return all.toByteArray();
    }

    /** Reads an HTTP response, which must have a Content-Length. */
    private static byte[] page(DataInputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
            all.write(in.readUnsignedByte());
            head = all.toString(StandardCharsets.US_ASCII);
        }
        all.writeBytes(in.readNBytes(contentLength(head)));
        return all.toByteArray();
    }

    /** Returns the Content-Length of an HTTP head. */
    static int contentLength(String head) {
        Matcher length = CONTENT_LENGTH.matcher(head);
        if (!length.find()) {
            throw new BenchFailure("the server's response has no Content-Length, which this command needs");
        }
        return Integer.parseInt(length.group(1));
    }
}
