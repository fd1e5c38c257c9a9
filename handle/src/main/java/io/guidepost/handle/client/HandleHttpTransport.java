package io.guidepost.handle.client;

import io.guidepost.base.AddressText;
import io.guidepost.handle.authentication.PinnedKeyTrustManager;
import io.guidepost.handle.message.MessageFraming;
import io.guidepost.handle.value.SiteInterface;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** The transport over HTTP or HTTPS: each message is the body of a POST. Connections are persistent. */
final class HandleHttpTransport implements HandleTransport {
    private static final String TYPE = "application/x-hdl-message";
    private static final int OK = 200;

    private final HandleEndpoint endpoint;
    private final HandleClientSettings settings;
    private final HttpClient client;

    /**
     * Creates it. Over HTTPS the server must have the key that its site states, or, if none is known, a certificate
     * that the JDK trusts.
     */
    HandleHttpTransport(HandleEndpoint endpoint, HandleClientSettings settings) throws IOException {
        this.endpoint = endpoint;
        this.settings = settings;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout);
        if (endpoint.transport() == SiteInterface.Transport.HTTPS && endpoint.key().isPresent()) {
            builder.sslContext(PinnedKeyTrustManager.context(endpoint.key().get()));
        }
        this.client = builder.build();
    }

    @Override
    public byte[] ask(byte[] request, boolean repeatable) throws IOException {
        try (InputStream body = post(request)) {
            return MessageFraming.read(body).orElseThrow(() -> new IOException("the answer of " + endpoint + " is empty"));
        }
    }

    @Override
    public void requestAll(byte[] request, Each each) throws IOException {
        try (InputStream body = post(request)) {
            Optional<byte[]> message = MessageFraming.read(body);
            while (message.isPresent() && each.take(message.get())) {
                message = MessageFraming.read(body);
            }
            if (message.isEmpty()) {
                throw new IOException("the answer of " + endpoint + " ended before its last part");
            }
        }
    }

    private InputStream post(byte[] request) throws IOException {
        HttpRequest post = HttpRequest.newBuilder(uri())
                .timeout(settings.timeout)
                .header("Content-Type", TYPE)
                .header("Accept", TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                .build();
        try {
            HttpResponse<InputStream> response = client.send(post, HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != OK
                    || !response.headers().firstValue("Content-Type").orElse("").startsWith(TYPE)) {
                response.body().close();
                throw new IOException(endpoint + " answered with the status " + response.statusCode()
                        + " and no message: is this a server of handles?");
            }
            return response.body();
        } catch (SSLException e) {
            throw new IOException(
                    endpoint.key().isPresent()
                            ? endpoint + " does not show the key that its site says"
                            : endpoint + " has a certificate that is not trusted here: give the description of its site,"
                                    + " which has its key",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + endpoint, e);
        }
    }

    private URI uri() {
        InetAddress address = endpoint.address().getAddress();
        String host = address instanceof Inet6Address
                ? "[" + AddressText.of(address) + "]"
                : endpoint.address().getHostString();
        String scheme = endpoint.transport() == SiteInterface.Transport.HTTPS ? "https" : "http";
        return URI.create(scheme + "://" + host + ":" + endpoint.address().getPort() + "/");
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
