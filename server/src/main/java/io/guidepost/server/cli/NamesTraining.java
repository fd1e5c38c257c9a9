package io.guidepost.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** What the JVM is to have seen before names over HTTP have their first client, as with {@link HandleTraining}: writes and reads. */
final class NamesTraining {
    private static final String BODY = "{\"places\":[{\"place\":\"192.0.2.10:8443\"}]}";

    private NamesTraining() {}

    /** Puts and gets names, by several clients at a time. */
    static void play(InetSocketAddress http) throws IOException {
        HandleTraining.clients(client -> {
            try (Socket socket = new Socket(http.getAddress(), http.getPort())) {
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                for (int i = 0; i < HandleTraining.CALLS; i++) {
                    String path = " /v1/names/trained-" + client + "-" + i + " HTTP/1.1\r\nHost: localhost\r\n";
                    String head = "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n";
                    send(socket, "PUT" + path + head + BODY);
                    HandleTraining.readAnswer(in);
                    send(socket, "GET" + path + "\r\n");
                    HandleTraining.readAnswer(in);
                }
            }
        });
    }

    private static void send(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }
}
