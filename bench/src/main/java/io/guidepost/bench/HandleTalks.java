package io.guidepost.bench;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.SiteInterface;
import io.guidepost.handle.client.ClientSettings;
import io.guidepost.handle.client.Endpoint;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.Identity;
import io.guidepost.handle.service.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** The way of {@link HandleCommand} that changes something, which takes a whole client. */
final class HandleTalks {
    private HandleTalks() {}

    /** Creates handles {@code PREFIX0}, {@code PREFIX1}..., over what is there, in a session over TCP with MACs. */
    static HandleTalk creating(InetSocketAddress server, String prefix, long first, Identity who) {
        HandleClient client;
        try {
            client = HandleClient.at(
                    List.of(Endpoint.of(SiteInterface.Transport.TCP, server)),
                    ClientSettings.DEFAULT.withIdentity(who).withSession(true).withDatagrams(false));
        } catch (IOException e) {
            throw new Failure("cannot be a client of " + server, e);
        }
        return new HandleTalk() {
            @Override
            public Answers.Verdict ask(long number) throws IOException {
                Handle handle = Handle.of(prefix + (first + number));
                Outcome outcome = client.create(
                        handle,
                        List.of(HandleValue.of(1, "URL", "http://www.example.org/landing/page/" + number)),
                        true,
                        false);
                return outcome.success() ? Answers.Verdict.RIGHT : Answers.Verdict.FAILED;
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }
}
