package io.guidepost.lab.soak;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsException;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Names over GNRS. Nothing is sent twice: of a write that is not answered it is known by when it was done. */
final class GnrsAccess implements LedgerAccess {
    private static final GnrsClientSettings ONCE = new GnrsClientSettings(2000, 1, 1);

    private final GnrsClient client;

    GnrsAccess(InetSocketAddress server) throws IOException {
        client = GnrsClient.open(server, ONCE);
    }

    @Override
    public String read(String name) throws IOException {
        try {
            return WriteLedger.state(client.lookup(Guid.ofAscii(name)).bindings().stream().map(each -> each.locator().toString()).toList());
        } catch (GnrsException failed) {
            throw failure(failed);
        }
    }

    @Override
    public void write(WriteLedger.Write write) throws IOException {
        Guid guid = Guid.ofAscii(write.name());
        try {
            if (write.after().isEmpty()) {
                client.delete(guid);
            } else if (write.adds().isEmpty()) {
                client.update(guid, bindings(write.places()));
            } else {
                client.insert(guid, bindings(write.adds()));
            }
        } catch (GnrsException failed) {
            throw failure(failed);
        }
    }

    private static IOException failure(GnrsException failed) {
        return failed.answer().outcome() == GnrsResponse.Outcome.FAILED ? new Refused(String.valueOf(failed.getMessage())) : failed;
    }

    private static List<Binding> bindings(List<String> places) {
        List<Binding> bindings = new ArrayList<>();
        try {
            for (String each : places) {
                bindings.add(Binding.of(Locator.parse(each)));
            }
        } catch (Malformed e) {
            throw new AssertionError("the ledger makes places", e);
        }
        return bindings;
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            // Its socket is of no more use either way.
        }
    }
}
