package io.guidepost.server.cli.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.cli.InProcessCommands;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import in a process of its own is killed in the middle, again and again, and the same command goes on. */
class ImportKilledTest {
    private static final int RECORDS = 65_000;
    private static final int DATA_CHARACTERS = 300;

    /** Records read when it is killed: in the last case behind the first note of how far it is. */
    private static final List<Integer> KILLED_BEHIND = List.of(10_000, 30_000, 55_000);

    private static final int KILLED = 128 + 9;

    @TempDir
    private Path folder;

    private Path dump() throws IOException {
        Path file = folder.toRealPath().resolve("dump.json");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < RECORDS; i++) {
                out.write(record(i));
                out.write('\n');
            }
        }
        return file;
    }

    private static String record(int number) {
        return "{\"handle\":\"1234/" + number + "\",\"values\":[{\"index\":1,\"type\":\"DATA\",\"data\":{\"format\":\"string\","
                + "\"value\":\"" + data(number) + "\"},\"ttl\":86400,\"timestamp\":\"2026-11-22T00:00:00Z\"}]}";
    }

    private static String data(int number) {
        byte[] bytes = new byte[DATA_CHARACTERS / 2];
        new Random(number).nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private String store() {
        return "store.folder=" + folder.resolve("store");
    }

    /** How far a process has read a file, bytes. */
    private static long position(Process process, Path file) {
        Path of = Path.of("/proc/" + process.pid());
        try (DirectoryStream<Path> open = Files.newDirectoryStream(of.resolve("fd"))) {
            for (Path each : open) {
                if (Files.readSymbolicLink(each).equals(file)) {
                    String position = Files.readAllLines(of.resolve("fdinfo").resolve(each.getFileName())).getFirst();
                    return Long.parseLong(position.replace("pos:", "").strip());
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // It has ended, or has closed a file meanwhile.
            return 0;
        }
        return 0;
    }

    /** Imports until so many records were read, and no further. */
    private void killedBehind(int records, Path dump) throws Exception {
        Path log = folder.resolve("log");
        Process importing = new ProcessBuilder(
                        BuiltServer.command(List.of("import", "handle", dump.toString(), "--set", store())))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        while (importing.isAlive() && position(importing, dump) < Files.size(dump) / RECORDS * records) {
            LockSupport.parkNanos(5_000_000);
        }
        importing.destroyForcibly();
        assertThat(importing.waitFor()).as("killed, not ended: " + Files.readString(log)).isEqualTo(KILLED);
    }

    private static long count(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": (\\d+)").matcher(json);
        assertThat(found.find()).as(name + " in " + json).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void nothingIsLostAndNothingTwice() throws Exception {
        Path dump = dump();
        for (int each : KILLED_BEHIND) {
            killedBehind(each, dump);
        }
        String ended = InProcessCommands.run("import", "handle", dump.toString(), "--json", "--set", store());
        assertThat(count(ended, "doneBefore")).as("what was noted before the last kill").isPositive();
        assertThat(count(ended, "replaced") + count(ended, "skipped")).isZero();
        assertThat(count(ended, "doneBefore") + count(ended, "unchanged") + count(ended, "created")).isEqualTo(RECORDS);
        String again = InProcessCommands.run("import", "handle", dump.toString(), "--json", "--set", store());
        assertThat(count(again, "unchanged")).isEqualTo(RECORDS);

        Path all = folder.resolve("all.json");
        assertThat(count(InProcessCommands.run("export", "handle", all.toString(), "--json", "--set", store()), "written"))
                .isEqualTo(RECORDS);
        Pattern one = Pattern.compile("1234/(\\d+)\".*?\"value\"\\s*:\\s*\"([0-9a-f]+)\"", Pattern.DOTALL);
        List<String> had = new ArrayList<>();
        Matcher found = one.matcher(Files.readString(all));
        while (found.find()) {
            had.add(found.group(1));
            assertThat(record(Integer.parseInt(found.group(1)))).contains("\"" + found.group(2) + "\"");
        }
        assertThat(had.stream().distinct().toList()).hasSameSizeAs(had).hasSize(RECORDS);
    }
}
