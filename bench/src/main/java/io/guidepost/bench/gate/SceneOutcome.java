package io.guidepost.bench.gate;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** What came of a run of a scene. */
sealed interface SceneOutcome {
    /** Its result. */
    record Played(BenchResult result) implements SceneOutcome {}

    /** What this machine lacks for it. */
    record Missing(String reason) implements SceneOutcome {}

    /** Why it ended without a result. */
    record Failed(String reason) implements SceneOutcome {}

    /** Name of the result that a run saves. */
    String NAME = "gate";

    /** Returns the file of that result. */
    static Path saved(Path folder) {
        return folder.resolve(NAME + ".json");
    }

    /**
     * Plays a scene.
     *
     * @param line a new command line of {@code guidepost bench}
     * @param scene command and options
     * @param folder of the saved result
     */
    static SceneOutcome play(CommandLine line, String scene, Path folder) {
        List<String> words = new ArrayList<>(List.of(scene.split(" +")));
        words.addAll(List.of("--save-as", NAME, "--results", folder.toString()));
        StringWriter said = new StringWriter();
        List<BenchFailure> missing = new ArrayList<>();
        CommandLine.IExecutionExceptionHandler usual = line.getExecutionExceptionHandler();
        line.setOut(new PrintWriter(Writer.nullWriter()));
        line.setErr(new PrintWriter(said, true));
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof BenchFailure known && known.missing()) {
                missing.add(known);
            }
            return usual.handleExecutionException(failure, command, parsed);
        });
        int code = line.execute(words.toArray(String[]::new));
        if (!missing.isEmpty()) {
            return new Missing(missing.getFirst().sentence());
        }
        return code == 0
                ? new Played(BenchResult.read(saved(folder)))
                : new Failed(said.toString().strip().lines().findFirst().orElse("code " + code));
    }
}
