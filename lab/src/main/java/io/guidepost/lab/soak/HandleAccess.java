package io.guidepost.lab.soak;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.server.cli.HandleDemo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Handles over one transport: the place of a handle is that of its URL. */
final class HandleAccess implements LedgerAccess {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final int INDEX = 1;

    private final HandleClient client;

    HandleAccess(SiteInterface.Transport transport, InetSocketAddress server) throws IOException {
        client = HandleClient.at(
                List.of(HandleEndpoint.of(transport, server)),
                HandleClientSettings.DEFAULT
                        .withIdentity(new ClientIdentity.SecretHolder(
                                HandleDemo.BY_SECRET, HandleDemo.SECRET.getBytes(StandardCharsets.UTF_8)))
                        .withDatagrams(transport == SiteInterface.Transport.UDP)
                        .withSession(transport != SiteInterface.Transport.UDP)
                        .withPipelined(transport == SiteInterface.Transport.TCP)
                        .withFirstWait(FIRST_WAIT)
                        .withTimeout(TIMEOUT));
    }

    @Override
    public String read(String name) throws IOException {
        HandleResult found = client.resolve(Handle.of(name));
        if (found.code() == ResponseCode.HANDLE_NOT_FOUND) {
            return "";
        }
        return found.values().stream()
                .filter(each -> each.index() == INDEX)
                .map(each -> new String(each.data(), StandardCharsets.UTF_8).replaceAll("^http://|/$", ""))
                .findFirst()
                .orElseThrow(() -> new Refused(found.code() + " " + found.text()));
    }

    @Override
    public void write(WriteLedger.Write write) throws IOException {
        Handle handle = Handle.of(write.name());
        List<HandleValue> values = List.of(HandleValue.of(INDEX, "URL", "http://" + write.after() + "/"));
        HandleResult done = write.after().isEmpty() ? client.delete(handle)
                : write.before().isEmpty() ? client.create(handle, values, false, false)
                : client.modify(handle, values);
        if (!done.success()) {
            throw new Refused(done.code() + " " + done.text());
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
