package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The source checks itself: which room may know which, and the mechanical rules of the house. */
class TidyTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int LINES_MAX = 600;

    /** Lines are written for 120; a word more is no reason to break a sentence. */
    private static final int COLUMNS_MAX = 140;


    /** What each room may use of the others; the drawing in ARCHITECTURE.md. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("base", Set.of()),
            Map.entry("names", Set.of("base")),
            Map.entry("packet", Set.of("base")),
            Map.entry("web", Set.of("base", "names")),
            Map.entry("store", Set.of("base", "names")),
            Map.entry("proximity", Set.of("base", "names")),
            Map.entry("gnrs", Set.of("base", "names", "store", "proximity")),
            Map.entry("handle", Set.of("base", "names", "store", "proximity", "web")),
            Map.entry("alto", Set.of("base", "names", "proximity", "web")),
            Map.entry("middlebox", Set.of("base", "names", "packet", "proximity")),
            Map.entry("server", Set.of(
                    "base", "names", "packet", "web", "store", "proximity", "gnrs", "handle", "alto", "middlebox")),
            Map.entry("lab", Set.of("base", "names", "packet", "store", "proximity", "web", "gnrs", "server")),
            Map.entry("stress", Set.of("base", "names", "packet", "store", "proximity", "gnrs")),
            Map.entry("examples", Set.of(
                    "base", "names", "packet", "web", "store", "proximity", "gnrs", "handle", "alto", "middlebox", "server")),
            Map.entry("bench", Set.of(
                    "base", "names", "packet", "web", "store", "proximity", "gnrs", "handle", "alto", "middlebox", "server")));

    private static final Pattern ROOM = Pattern.compile("\\bio\\.guidepost\\.([a-z]+)\\b");

    private static List<Path> files(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(each -> each.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources(String... sets) {
        List<Path> files = new ArrayList<>();
        for (String module : ARROWS.keySet()) {
            for (String set : sets) {
                files.addAll(files(ROOT.resolve(module).resolve("src").resolve(set), ".java"));
            }
        }
        assertThat(files).as("sources of " + ROOT).isNotEmpty();
        return files;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of all sources that a pattern is found in, as file:line. */
    private static List<String> found(Pattern pattern, Predicate<Path> where) {
        List<String> found = new ArrayList<>();
        for (Path file : sources("main", "test")) {
            if (where.test(file)) {
                String[] lines = text(file).split("\n", -1);
                for (int i = 0; i < lines.length; i++) {
                    if (pattern.matcher(lines[i]).find()) {
                        found.add(ROOT.relativize(file) + ":" + (i + 1) + ": " + lines[i].strip());
                    }
                }
            }
        }
        return found;
    }

    private static boolean isThisTest(Path file) {
        return file.endsWith("TidyTest.java");
    }

    @Test
    void roomsKnowOnlyThoseThatTheDrawingAllows() {
        ARROWS.forEach((module, allowed) -> {
            for (Path file : files(ROOT.resolve(module).resolve("src"), ".java")) {
                Set<String> used = new TreeSet<>(ROOM.matcher(text(file))
                        .results()
                        .map(each -> each.group(1))
                        .filter(ARROWS::containsKey)
                        .toList());
                used.remove(module);
                used.removeAll(allowed);
                assertThat(used).as(ROOT.relativize(file) + " knows rooms that it must not know").isEmpty();
            }
        });
    }

    @Test
    void modulesDependOnlyOnThoseThatTheDrawingAllows() {
        Pattern dependency = Pattern.compile("<groupId>io\\.guidepost</groupId>\\s*<artifactId>guidepost-([a-z]+)</artifactId>");
        ARROWS.forEach((module, allowed) -> {
            String pom = text(ROOT.resolve(module).resolve("pom.xml"));
            Set<String> used = new TreeSet<>();
            dependency.matcher(pom.substring(pom.indexOf("</parent>"))).results().map(MatchResult::group)
                    .forEach(each -> used.add(each.replaceAll("(?s).*<artifactId>guidepost-(.*)</artifactId>", "$1")));
            used.removeAll(allowed);
            assertThat(used).as(module + "/pom.xml depends on rooms that it must not know").isEmpty();
        });
    }

    @Test
    void everyPackageSaysWhatItIsFor() {
        Set<Path> folders = new TreeSet<>();
        sources("main").stream()
                .filter(each -> !each.endsWith("module-info.java"))
                .forEach(each -> folders.add(each.getParent()));
        for (Path folder : folders) {
            assertThat(folder.resolve("package-info.java")).exists().content().contains("/**", "NullMarked");
        }
    }

    @Test
    void onlyThePacketRoomCallsTheKernelByItself() {
        assertThat(found(
                        Pattern.compile("java\\.lang\\.foreign\\.(Linker|SymbolLookup)|\\bdowncallHandle\\b"),
                        each -> !each.startsWith(ROOT.resolve("packet")) && !isThisTest(each)))
                .isEmpty();
    }

    @Test
    void bannedCallsAreNotMade() {
        assertThat(found(
                        Pattern.compile("Thread\\.sleep|\\bsun\\.misc\\b|printStackTrace|@Disabled\\b"
                                + "|new UnsupportedOperationException|\\b(TODO|FIXME|XXX)\\b"),
                        each -> !isThisTest(each)))
                .isEmpty();
        assertThat(found(
                        Pattern.compile("System\\.exit|Runtime.*\\.halt\\("),
                        each -> !isThisTest(each) && !each.endsWith("cli/Main.java")
                                && !each.startsWith(ROOT.resolve("bench")) && each.toString().contains("/src/main/")))
                .isEmpty();
    }

    @Test
    void filesAreShortAndLinesFit() {
        for (Path file : sources("main", "test")) {
            List<String> lines = text(file).lines().toList();
            assertThat(lines.size()).as("lines of " + ROOT.relativize(file)).isLessThanOrEqualTo(LINES_MAX);
            for (int i = 0; i < lines.size(); i++) {
                assertThat(lines.get(i).length())
                        .as(ROOT.relativize(file) + ":" + (i + 1) + ": columns")
                        .isLessThanOrEqualTo(COLUMNS_MAX);
            }
        }
    }

    @Test
    void everyPageOfTheDocumentationBeginsWithItsTitle() {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        for (String each : List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            pages.add(ROOT.resolve(each));
        }
        for (Path page : pages) {
            assertThat(text(page)).as(ROOT.relativize(page).toString()).startsWith("# ");
        }
    }

    @Test
    void filesThatTheArchitectureNamesAreThere() {
        Pattern name = Pattern.compile("`([a-z]+)/([A-Za-z]+\\.java)`");
        for (MatchResult each : name.matcher(text(ROOT.resolve("ARCHITECTURE.md"))).results().toList()) {
            assertThat(files(ROOT.resolve(each.group(1)).resolve("src"), "/" + each.group(2)))
                    .as("ARCHITECTURE.md names " + each.group())
                    .hasSize(1);
        }
    }
}
