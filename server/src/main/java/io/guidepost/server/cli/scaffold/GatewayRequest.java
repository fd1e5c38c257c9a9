package io.guidepost.server.cli.scaffold;

import io.guidepost.base.Malformed;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** A command to the running gateway of this host: one line of JSON to its socket, and one back. */
abstract class GatewayRequest extends ConsoleCommand {
    @Option(
            names = {"-f", "--folder"},
            paramLabel = "FOLDER",
            description = "Folder of the gateway (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of(GatewayCommand.FOLDER);

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    /** Returns what is asked for; {@link JsonWriter#object} makes it. */
    abstract Map<String, Object> request() throws Exception;

    /** Returns the answer for people. */
    abstract String text(Map<String, Object> answer);

    /** Returns one of {@link ExitCode} for an answer that was given. */
    int code(Map<String, Object> answer) {
        return ExitCode.DONE;
    }

    static boolean is(Map<String, Object> answer, String name) {
        return Boolean.TRUE.equals(answer.get(name));
    }

    final GatewayFolder folder() {
        return new GatewayFolder(folder);
    }

    @Override
    public final Integer call() throws Exception {
        Map<String, Object> answer = ask(request());
        String error = AdminOptions.text(answer, "error");
        if (!error.isEmpty()) {
            throw new IOException(error);
        }
        print(json ? JsonWriter.text(answer) : text(answer));
        return code(answer);
    }

    private Map<String, Object> ask(Map<String, Object> request) throws IOException {
        String line;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder().socket()))) {
            OutputStream out = Channels.newOutputStream(channel);
            out.write((JsonWriter.line(request) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            line = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8)).readLine();
        } catch (IOException e) {
            throw new IOException("no gateway answers in the folder " + folder + " (" + e.getMessage()
                    + "): start one with guidepost scaffold gateway, or name its folder with --folder", e);
        }
        try {
            return JsonValue.read((line == null ? "" : line).getBytes(StandardCharsets.UTF_8)).whole().object();
        } catch (Malformed e) {
            throw new IOException("the answer of the gateway is not read: " + e.getMessage(), e);
        }
    }
}
