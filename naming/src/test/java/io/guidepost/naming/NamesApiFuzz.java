package io.guidepost.naming;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests to names over HTTP, for {@code ./guidepost fuzz}: a line of method and target, and a body behind it. */
public final class NamesApiFuzz {
    /** Names that are left to the inputs that follow: a list costs some 5 kB with each. */
    private static final int NAMES_MAX = 3;

    private static final LocalApi API = open();

    private NamesApiFuzz() {}

    private static LocalApi open() {
        try {
            return LocalApi.inMemory();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends one request; a watch is not read, as it does not end. */
    public static void fuzz(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String[] lines = text.split("\n", 2);
        String[] words = lines[0].split(" ", 2);
        String target = "/" + (words.length < 2 ? "" : words[1]);
        String body = lines.length < 2 ? "" : lines[1];
        int status = API.api.answer(LocalApi.request(words[0], target, body)).status();
        if (status >= 500) {
            throw new AssertionError(status + " for " + text);
        }
        if (!words[0].equals("GET")) {
            bound();
        }
    }

    private static void bound() {
        List<String> names = new ArrayList<>();
        try {
            NameIndex.texts(API.store, "", "", names::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (names.size() > NAMES_MAX) {
            for (String each : names) {
                String target = "/v1/names/" + URLEncoder.encode(each, StandardCharsets.UTF_8).replace("+", "%20");
                int status = API.api.answer(LocalApi.request("DELETE", target, "")).status();
                // Not found: its places have expired since.
                if (status != 204 && status != 404) {
                    throw new AssertionError(status + " for DELETE " + target);
                }
            }
        }
    }

    /** Requests of every kind. */
    public static List<byte[]> seeds() {
        return List.of(
                        "PUT v1/names/a\n{\"places\":[{\"place\":\"192.0.2.1:80\",\"ttl\":1.5,\"weight\":3,\"labels\":{\"zone\":\"b\"}}]}",
                        "PUT v1/names/a?lease=30s\n{\"places\":[{\"place\":\"[2001:db8::1]:80\",\"expires\":\"2999-01-01T00:00:00Z\"}]}",
                        "PATCH v1/names/caf%C3%A9%20two%20words\n{\"add\":[{\"place\":\"guid:a\"}],\"remove\":[\"https://x.example/\"]}",
                        "GET v1/names/a?recursive=1&nearest=192.0.2.9",
                        "GET v1/names?prefix=a&limit=3&after=b",
                        "GET v1/names?watch=1&since=1f-2e",
                        "DELETE v1/names/1234/library",
                        "POST v1/names:batch\n{\"operations\":[{\"op\":\"delete\",\"name\":\"a\",\"ifMatch\":\"1\"}]}",
                        "POST v1/leases/00112233445566778899aabbccddeeff:renew",
                        "OPTIONS v1/openapi.json")
                .stream()
                .map(each -> each.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }
}
