package io.guidepost.lab.soak;

import io.guidepost.client.GuidepostException;
import io.guidepost.client.NameClient;
import io.guidepost.client.NameClientSettings;
import io.guidepost.client.NamePlace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Names over HTTP and JSON. A place that is a URL, as those of handles are, counts as its host and port. */
final class HttpNamesAccess implements LedgerAccess {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final NameClient client;

    HttpNamesAccess(InetSocketAddress server) throws IOException {
        client = open(server);
    }

    /** Opens a client of names. */
    static NameClient open(InetSocketAddress server) throws IOException {
        String uri = "http://" + server.getAddress().getHostAddress() + ":" + server.getPort();
        return NameClient.open(NameClientSettings.of(uri).withTimeouts(TIMEOUT, TIMEOUT));
    }

    /** Returns the state of a name with these places. */
    static String state(List<NamePlace> places) {
        return WriteLedger.state(places.stream().map(each -> each.address().replaceAll("^http://|/$", "")).toList());
    }

    /** Returns what a client of ours says, as other clients say it. */
    static IOException failure(GuidepostException failed) {
        return failed.status() > 0 ? new Refused(String.valueOf(failed.getMessage())) : new IOException(failed.getMessage(), failed);
    }

    @Override
    public String read(String name) throws IOException {
        try {
            return client.get(name).map(each -> state(each.places())).orElse("");
        } catch (GuidepostException failed) {
            throw failure(failed);
        }
    }

    @Override
    public void write(WriteLedger.Write write) throws IOException {
        try {
            if (write.after().isEmpty()) {
                client.remove(write.name());
            } else if (write.adds().isEmpty()) {
                client.put(write.name(), places(write.places()));
            } else {
                client.add(write.name(), places(write.adds()));
            }
        } catch (GuidepostException failed) {
            throw failure(failed);
        }
    }

    private static NamePlace[] places(List<String> places) {
        return places.stream().map(NamePlace::of).toArray(NamePlace[]::new);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            // It has no socket of its own.
        }
    }
}
