package io.guidepost.server.cli.names;

import io.guidepost.base.Malformed;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost watch}: what changes? */
@Command(
        name = "watch",
        description = "Prints names that begin with a prefix and then each change, until it is interrupted. Comes again where"
                + " it was when the server was away.",
        footer = "Example:  guidepost watch orders.")
public final class WatchCommand extends ConsoleCommand {
    private static final long PAUSE_NANOS = 1_000_000_000;

    @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "What they begin with (default: all).")
    private String prefix = "";

    @Mixin
    private NamesOptions server = new NamesOptions();

    @Option(names = "--json", description = "Each event as a line of JSON.")
    private boolean json;

    @Option(names = "--once", description = "Ends behind the snapshot.")
    private boolean once;

    private String position = "";
    private String type = "";
    private String data = "";

    @Override
    public Integer call() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            boolean connected = false;
            while (!Thread.currentThread().isInterrupted()) {
                String[] headers = position.isEmpty() ? new String[0] : new String[] {"Last-Event-ID", position};
                try (InputStream in = server.get(client, "/v1/names?watch=1&prefix=" + NamesOptions.encoded(prefix), headers)) {
                    connected = true;
                    if (read(in)) {
                        return ExitCode.DONE;
                    }
                } catch (IOException e) {
                    if (!connected) {
                        throw e;
                    }
                    err().println("guidepost: " + e.getMessage() + "; trying again");
                    err().flush();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return ExitCode.DONE;
    }

    /** Reads events until the stream ends; returns whether that is all that is wanted. */
    private boolean read(InputStream in) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals("id")) {
                position = "";
            } else if (line.startsWith("id: ")) {
                position = line.substring(4);
            } else if (line.startsWith("event: ")) {
                type = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && !type.isEmpty()) {
                tell();
                if (once && type.equals("ready")) {
                    return true;
                }
                type = "";
            }
        }
        return false;
    }

    private void tell() throws IOException {
        if (json) {
            out().println("{\"event\":\"" + type + "\",\"data\":" + data + "}");
        } else if (type.equals("put") || type.equals("delete")) {
            try {
                out().println(line());
            } catch (Malformed e) {
                throw new IOException("the server's event is malformed: " + e.getMessage(), e);
            }
        }
        out().flush();
    }

    private String line() throws Malformed {
        JsonField record = JsonValue.read(data.getBytes(StandardCharsets.UTF_8)).whole();
        List<String> places = new ArrayList<>();
        if (type.equals("put")) {
            for (JsonField each : record.member("places").elements(Integer.MAX_VALUE)) {
                places.add(each.member("place").text());
            }
        }
        return record.member("name").text() + "  " + (places.isEmpty() ? "-" : String.join("  ", places));
    }
}
