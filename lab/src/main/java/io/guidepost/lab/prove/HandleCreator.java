package io.guidepost.lab.prove;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client that creates handles which others try to create too, through all front ends in turn: of each, at most one client may be
 * told that it made it, and then the handle has that client's value for ever.
 */
final class HandleCreator implements AutoCloseable {
    static final String SECRET = "a secret of the proof";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long REST_NANOS = 50_000_000;

    private final int number;
    private final List<InetSocketAddress> servers;
    private final Map<String, Attempts> attempts;
    private @Nullable HandleClient client;
    private int turn;

    /**
     * What the clients were told of one handle.
     *
     * @param winners those that were told that they made it
     * @param doubtful those that were told an error, or nothing
     */
    record Attempts(List<Integer> winners, List<Integer> doubtful) {
        Attempts() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    HandleCreator(int number, List<InetSocketAddress> servers, Map<String, Attempts> attempts) {
        this.number = number;
        this.servers = servers;
        this.attempts = attempts;
        this.turn = number;
    }

    /** Returns a place for what the clients were told. */
    static Map<String, Attempts> attempts() {
        return new ConcurrentHashMap<>();
    }

    /** Returns a client of one front end that may create handles. */
    static HandleClient client(InetSocketAddress server) throws IOException {
        ClientIdentity who =
                new ClientIdentity.SecretHolder(new ValueReference(Handle.ofPrefix("1234"), 301), SECRET.getBytes(StandardCharsets.UTF_8));
        return HandleClient.at(
                List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, server)),
                HandleClientSettings.DEFAULT.withIdentity(who).withSession(true).withTimeout(TIMEOUT));
    }

    /** Creates as long as more is wanted. */
    void run(BooleanSupplier more) {
        for (int i = 0; more.getAsBoolean(); i++) {
            create("1234/" + i);
        }
    }

    private void create(String name) {
        Attempts told = attempts.computeIfAbsent(name, _ -> new Attempts());
        ResponseCode code = ResponseCode.ERROR;
        try {
            HandleClient now = client == null ? client(servers.get(Math.floorMod(turn, servers.size()))) : client;
            client = now;
            code = now.create(Handle.of(name), List.of(HandleValue.of(1, "URL", value(number))), false, false).code();
        } catch (IOException e) {
            // Its front end is away: whether it made the handle is not known.
            code = ResponseCode.ERROR;
        }
        synchronized (told) {
            if (code == ResponseCode.SUCCESS) {
                told.winners.add(number);
            } else if (code != ResponseCode.HANDLE_EXISTS) {
                told.doubtful.add(number);
            }
        }
        if (code != ResponseCode.SUCCESS && code != ResponseCode.HANDLE_EXISTS) {
            close();
            turn++;
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    private static String value(int creator) {
        return "https://example.org/" + creator;
    }

    /** Returns what is wrong with a handle as a front end shows it; empty if nothing is. */
    static String wrong(HandleResult found, Attempts told) {
        if (told.winners.size() > 1) {
            return "created " + told.winners.size() + " times";
        }
        if (found.code() == ResponseCode.HANDLE_NOT_FOUND) {
            return told.winners.isEmpty() ? "" : "created, and not there";
        }
        if (!found.success()) {
            return "answered " + found.code();
        }
        String value = new String(found.values().getFirst().data(), StandardCharsets.UTF_8);
        List<Integer> makers = told.winners.isEmpty() ? told.doubtful : told.winners;
        return makers.stream().anyMatch(each -> value(each).equals(value)) ? "" : "there, and of another client";
    }

    @Override
    public void close() {
        HandleClient now = client;
        client = null;
        if (now != null) {
            now.close();
        }
    }
}
