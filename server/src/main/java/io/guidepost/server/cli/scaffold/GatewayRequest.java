package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command to the running gateway of this host. */
abstract class GatewayRequest extends ConsoleCommand {
    @Mixin
    private final FolderOption folder = new FolderOption();

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
        return folder.folder();
    }

    @Override
    public final Integer call() throws Exception {
        Map<String, Object> answer = folder().ask(request());
        String error = AdminOptions.text(answer, "error");
        if (!error.isEmpty()) {
            throw new IOException(error);
        }
        print(json ? JsonWriter.text(answer) : text(answer));
        return code(answer);
    }
}
