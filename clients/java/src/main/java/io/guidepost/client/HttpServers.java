package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a client over HTTP. Reads are hedged requests; a write goes to one server, and to the next only if that one
 * never saw it. Thread-safe.
 */
final class HttpServers {
    static final int NOT_FOUND = 404;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final String UNKNOWN = "; whether the write was done is unknown";

    private final NameClientSettings settings;
    private final HttpClient http;

    /** In the order in which they are asked. */
    private volatile List<URI> order;

    HttpServers(NameClientSettings settings) {
        this.settings = settings;
        this.order = settings.servers();
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        this.http = (settings.tls() == null ? builder : builder.sslContext(settings.tls())).build();
    }

    HttpClient http() {
        return http;
    }

    URI first() {
        return order.get(0);
    }

    /** Asks a server first from now on. */
    private void prefer(URI server) {
        List<URI> now = order;
        int at = now.indexOf(server);
        if (at > 0) {
            List<URI> next = new ArrayList<>(now.subList(at, now.size()));
            next.addAll(now.subList(0, at));
            order = next;
        }
    }

    /** Puts the first server last, after it failed. */
    void rotate() {
        prefer(order.get(1 % order.size()));
    }

    HttpRequest.Builder request(URI server, String target) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server.toString().replaceFirst("/$", "") + target));
        builder.header("Accept", "application/json");
        return settings.token() == null ? builder : builder.header("Authorization", "Bearer " + settings.token());
    }

    /** Reads: the first success counts. A 404 counts as one if the caller says so. */
    CompletableFuture<HttpResponse<String>> read(String target, boolean mayBeMissing) {
        List<URI> servers = order;
        return HedgedRequest.send(settings, settings.timeout(), servers, servers.size(), number -> {
            URI server = servers.get(number);
            HttpRequest request = request(server, target).build();
            CompletableFuture<HttpResponse<String>> sent = http.sendAsync(request, BodyHandlers.ofString());
            CompletableFuture<HttpResponse<String>> answer = sent.handle((response, failure) -> {
                if (failure != null) {
                    throw new GuidepostException(Kind.UNREACHABLE, server + ": " + HedgedRequest.error(failure).getMessage());
                }
                checked(response, mayBeMissing);
                prefer(server);
                return response;
            });
            // Else the response of a server that was slow would be received in full.
            CompletableFuture<?> unused = answer.whenComplete((response, failure) -> sent.cancel(true));
            return answer;
        });
    }

    static HttpResponse<String> checked(HttpResponse<String> response, boolean mayBeMissing) {
        if (response.statusCode() >= 300 && !(mayBeMissing && response.statusCode() == NOT_FOUND)) {
            throw GuidepostException.of(response.statusCode(), response.body());
        }
        return response;
    }

    /** Writes at the first server that can be connected to. A 404 is returned if the caller says so, and thrown otherwise. */
    HttpResponse<String> write(String method, String target, @Nullable Object body, Map<String, String> headers, boolean mayBeMissing) {
        HttpRequest.BodyPublisher bytes = BodyPublishers.ofString(body == null ? "" : JsonText.write(body));
        List<String> failures = new ArrayList<>();
        for (URI server : order) {
            HttpRequest.Builder request = request(server, target).timeout(settings.timeout()).method(method, bytes);
            headers.forEach(request::header);
            if (body != null) {
                request.header("Content-Type", "application/json");
            }
            try {
                HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
                prefer(server);
                return checked(answer, mayBeMissing);
            } catch (ConnectException | HttpConnectTimeoutException notSent) {
                failures.add(server + ": " + HedgedRequest.error(notSent).getMessage());
            } catch (HttpTimeoutException silent) {
                throw new GuidepostException(
                        Kind.TIMEOUT, "no answer within " + settings.timeout().toMillis() + " ms (" + server + ")" + UNKNOWN);
            } catch (IOException broken) {
                throw new GuidepostException(Kind.UNREACHABLE, server + ": " + HedgedRequest.error(broken).getMessage() + UNKNOWN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new GuidepostException(Kind.OTHER, "interrupted" + UNKNOWN);
            }
        }
        throw new GuidepostException(Kind.UNREACHABLE, String.join("; ", failures));
    }
}
