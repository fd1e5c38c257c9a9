package io.guidepost.handle.client;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A client of one site, whose servers it selects by the hash of the handle. Each call waits for the response. The
 * server's refusals are an {@link HandleResult}, failures to reach it an {@link IOException}. Thread-safe: for bulk work
 * call it from many virtual threads, with {@link HandleClientSettings#withPipelined}.
 *
 * <p>Resolution goes by UDP, with two retransmissions, and then over connections; changes go over connections alone.
 */
public final class HandleClient implements AutoCloseable {
    /** Validity that requests state, in seconds; servers ignore it. */
    static final int REQUEST_SECONDS = 43_200;

    private final List<ServerSession> servers;
    private final Optional<SiteRecord> knownSite;

    private HandleClient(List<ServerSession> servers, Optional<SiteRecord> knownSite) {
        this.servers = servers;
        this.knownSite = knownSite;
    }

    /**
     * Creates a client of a described site, with the servers' keys from the description.
     *
     * @throws IOException if it has no servers, or one of them has no interfaces
     */
    public static HandleClient of(SiteRecord site, HandleClientSettings settings) throws IOException {
        List<ServerSession> servers = new ArrayList<>();
        for (SiteServer each : site.servers()) {
            servers.add(dialogue(
                    each.interfaces().stream().map(way -> HandleEndpoint.of(each, way)).toList(), settings));
        }
        if (servers.isEmpty()) {
            throw new IOException("the site has no servers");
        }
        return new HandleClient(servers, Optional.of(site));
    }

    /**
     * Creates a client of a server that is known by its addresses alone. Where its key is needed, the client asks the
     * server for it on first use (trust on first use): a man in the middle can impersonate it, so prefer {@link #of}
     * with a description.
     *
     * @param ways interfaces of the same server, the preferred ones first; at least one
     */
    public static HandleClient at(List<HandleEndpoint> ways, HandleClientSettings settings) throws IOException {
        return new HandleClient(List.of(dialogue(ways, settings)), Optional.empty());
    }

    private static ServerSession dialogue(List<HandleEndpoint> ways, HandleClientSettings settings) throws IOException {
        // TCP before HTTPS before HTTP; the operation decides on UDP.
        List<HandleEndpoint> ordered = ways.stream()
                .distinct()
                .sorted(Comparator.comparingInt(each -> switch (each.transport()) {
                    case UDP -> 0;
                    case TCP -> 1;
                    case HTTPS -> 2;
                    case HTTP -> 3;
                }))
                .toList();
        if (ordered.isEmpty()) {
            throw new IOException("a server without interfaces cannot be asked");
        }
        List<HandleTransport> carriers = new ArrayList<>();
        for (HandleEndpoint each : ordered) {
            carriers.add(carrier(each, settings));
        }
        return new ServerSession(ordered, carriers, settings);
    }

    private static HandleTransport carrier(HandleEndpoint endpoint, HandleClientSettings settings) throws IOException {
        if (endpoint.address().isUnresolved()) {
            throw new IOException("the host '" + endpoint.address().getHostString() + "' is not known");
        }
        return switch (endpoint.transport()) {
            case UDP -> new HandleUdpTransport(endpoint.address(), settings.firstWait);
            case TCP -> new HandleTcpTransport(endpoint, settings);
            case HTTP, HTTPS -> new HandleHttpTransport(endpoint, settings);
        };
    }

    private ServerSession server(Handle handle) {
        return servers.size() == 1
                ? servers.getFirst()
                : servers.get(knownSite.map(site -> site.serverOf(handle)).orElse(0));
    }

    /** Finds values of a handle. */
    public HandleResult resolve(ResolveRequest question) throws IOException {
        int flags = (question.publicOnly() ? OpFlag.PUBL.bit() : 0)
                | (question.doNotRefer() ? OpFlag.DNRF.bit() : 0)
                | (question.recursive() ? OpFlag.RECU.bit() : 0)
                | (question.authoritative() ? OpFlag.AUTH.bit() : 0);
        MessageBody body = new MessageBody.Resolve(question.handle(), question.indexes(), question.types());
        return outcome(
                question.handle(),
                server(question.handle()).ask(HandleOperation.RESOLVE, body, flags, question.recursionCount()));
    }

    /** Finds all public values of a handle. */
    public HandleResult resolve(Handle handle) throws IOException {
        return resolve(ResolveRequest.ofAll(handle));
    }

    /**
     * Creates a handle.
     *
     * @param overwrite replace the one that exists
     * @param mint ask the server to append a generated suffix; the outcome has the whole handle
     */
    public HandleResult create(Handle handle, List<HandleValue> values, boolean overwrite, boolean mint)
            throws IOException {
        int flags = (overwrite ? OpFlag.OVRW.bit() : 0) | (mint ? OpFlag.MINT.bit() : 0);
        return change(HandleOperation.CREATE, handle, new MessageBody.Values(handle, values), flags);
    }

    /** Deletes a handle. */
    public HandleResult delete(Handle handle) throws IOException {
        return change(HandleOperation.DELETE, handle, new MessageBody.Named(handle), 0);
    }

    /** Adds values; replaces those whose index exists if {@code overwrite}. */
    public HandleResult add(Handle handle, List<HandleValue> values, boolean overwrite) throws IOException {
        return change(
                HandleOperation.ADD_VALUES, handle, new MessageBody.Values(handle, values), overwrite ? OpFlag.OVRW.bit() : 0);
    }

    /** Removes values. */
    public HandleResult remove(Handle handle, List<Integer> indexes) throws IOException {
        return change(HandleOperation.REMOVE_VALUES, handle, new MessageBody.Indexes(handle, indexes), 0);
    }

    /** Changes values. */
    public HandleResult modify(Handle handle, List<HandleValue> values) throws IOException {
        return change(HandleOperation.MODIFY_VALUES, handle, new MessageBody.Values(handle, values), 0);
    }

    private HandleResult change(HandleOperation operation, Handle handle, MessageBody body, int flags) throws IOException {
        return outcome(handle, server(handle).ask(operation, body, flags, 0));
    }

    /**
     * Lists the handles of a prefix, server by server.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     * @param visitor takes each handle; false ends the list
     */
    public HandleResult list(Handle prefixHandle, Predicate<Handle> visitor) throws IOException {
        return visitAll(HandleOperation.LIST_HANDLES, prefixHandle, visitor);
    }

    /** Lists the prefixes that the servers are responsible for. */
    public HandleResult homed(Predicate<Handle> visitor) throws IOException {
        return visitAll(HandleOperation.LIST_PREFIXES, Handle.SLASH, visitor);
    }

    private HandleResult visitAll(HandleOperation operation, Handle about, Predicate<Handle> visitor) throws IOException {
        HandleResult outcome = HandleResult.done(about);
        boolean[] goOn = {true};
        for (ServerSession each : servers) {
            outcome = outcome(about, each.askForAll(operation, new MessageBody.Named(about), message -> {
                if (message.body() instanceof MessageBody.Handles some) {
                    goOn[0] = some.handles().stream().allMatch(visitor);
                }
                return goOn[0];
            }));
            if (!outcome.success() || !goOn[0]) {
                return outcome;
            }
        }
        return outcome;
    }

    /** Makes all servers of the site responsible for a prefix; stops at the first refusal. */
    public HandleResult home(Handle prefixHandle) throws IOException {
        return changeAll(HandleOperation.HOME_PREFIX, prefixHandle);
    }

    /** Ends their responsibility for a prefix. */
    public HandleResult unhome(Handle prefixHandle) throws IOException {
        return changeAll(HandleOperation.UNHOME_PREFIX, prefixHandle);
    }

    private HandleResult changeAll(HandleOperation operation, Handle prefixHandle) throws IOException {
        HandleResult outcome = HandleResult.done(prefixHandle);
        for (ServerSession each : servers) {
            outcome = outcome(prefixHandle, each.ask(operation, new MessageBody.Named(prefixHandle), 0, 0));
            if (!outcome.success()) {
                return outcome;
            }
        }
        return outcome;
    }

    /** Returns the site as its first server describes it. */
    public SiteRecord site() throws IOException {
        HandleMessage answer = servers.getFirst().ask(HandleOperation.GET_SITE, new MessageBody.Named(Handle.SLASH), 0, 0);
        if (answer.body() instanceof MessageBody.Site site) {
            return site.site();
        }
        throw new IOException("the server does not describe its site: " + text(answer));
    }

    /**
     * Asks the server that keeps a secret key to verify a proof.
     *
     * @param digest of the request that was challenged, without its algorithm's number
     * @return empty if the server cannot tell
     */
    public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer)
            throws IOException {
        HandleMessage said = server(key.handle())
                .ask(HandleOperation.VERIFY_ANSWER, new MessageBody.Verify(key, nonce, digest, answer), 0, 0);
        return said.body() instanceof MessageBody.Verified verified ? Optional.of(verified.right()) : Optional.empty();
    }

    private static HandleResult outcome(Handle asked, HandleMessage answer) throws IOException {
        ResponseCode code = answer.responseCode()
                .orElseThrow(() -> new IOException(
                        "the server answered with the code " + answer.header().responseCode() + ", which is none"));
        boolean replaced = answer.header().has(OpFlag.OVRW);
        return switch (answer.body()) {
            case MessageBody.Values found -> new HandleResult(code, found.handle(), found.values(), "", replaced);
            case MessageBody.Named named -> new HandleResult(code, named.handle(), List.of(), "", replaced);
            case MessageBody.Referral referral -> new HandleResult(code, referral.handle(), referral.values(), "", false);
            case MessageBody.Text text -> new HandleResult(code, asked, List.of(), text.text(), false);
            default -> new HandleResult(code, asked, List.of(), "", replaced);
        };
    }

    /** Returns a response's error text, for people. */
    static String text(HandleMessage answer) {
        String code = answer.responseCode().map(ResponseCode::text).orElse("code " + answer.header().responseCode());
        return answer.body() instanceof MessageBody.Text text && !text.text().isBlank() ? code + " (" + text.text() + ")" : code;
    }

    /** Closes sessions and connections. */
    @Override
    public void close() {
        servers.forEach(ServerSession::close);
    }
}
