package io.guidepost.server.cli.names;

import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a server of names over HTTP, and requests to it. */
final class NamesOptions {
    private static final int OK = 200;
    private static final int PROBLEM_BYTES_MAX = 1 << 16;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Server of names over HTTP (default: ${DEFAULT-VALUE}).")
    private String url = "http://127.0.0.1:5083";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${GUIDEPOST_TOKEN}",
            description = "Token to show, where reading needs one (default: $GUIDEPOST_TOKEN).")
    private @Nullable String token;

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Opens the answer to a GET. */
    InputStream get(HttpClient client, String target, String... headers) throws IOException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target));
            if (token != null && !token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != OK) {
                try (InputStream body = response.body()) {
                    throw new IOException(url + " answers " + response.statusCode() + ": " + detail(body.readNBytes(PROBLEM_BYTES_MAX)));
                }
            }
            return response.body();
        } catch (ConnectException e) {
            throw new IOException("no server answers at " + url + ": start one with names.enabled=true, or name it with --url", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("'" + url + "' is not the URL of a server, such as http://127.0.0.1:5083", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns the detail of a problem (RFC 9457), or what was said instead. */
    private static String detail(byte[] said) {
        try {
            return JsonValue.read(said).whole().member("detail").text();
        } catch (Malformed e) {
            return new String(said, StandardCharsets.UTF_8);
        }
    }
}
