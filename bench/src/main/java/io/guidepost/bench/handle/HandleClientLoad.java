package io.guidepost.bench.handle;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.StreamClient;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** The write load of {@link HandleBenchCommand}, which takes a full client. */
final class HandleClientLoad {
    private HandleClientLoad() {}

    /**
     * Creates handles {@code PREFIX0}, {@code PREFIX1}..., replacing existing ones, in a session over TCP with MACs.
     */
    static StreamClient creating(InetSocketAddress server, String prefix, long first, ClientIdentity who) {
        HandleClient client;
        try {
            client = HandleClient.at(
                    List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, server)),
                    HandleClientSettings.DEFAULT.withIdentity(who).withSession(true).withDatagrams(false));
        } catch (IOException e) {
            throw new BenchFailure("cannot be a client of " + server, e);
        }
        return new StreamClient() {
            @Override
            public GnrsAnswerCheck.Verdict ask(long number) throws IOException {
                Handle handle = Handle.of(prefix + (first + number));
                HandleResult outcome = client.create(
                        handle,
                        List.of(HandleValue.of(1, "URL", "http://www.example.org/landing/page/" + number)),
                        true,
                        false);
                return outcome.success() ? GnrsAnswerCheck.Verdict.RIGHT : GnrsAnswerCheck.Verdict.FAILED;
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }
}
