package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The source checks itself: which room may know which, and the mechanical rules of the house. */
class TidyTest {
    private static final Path ROOT = ProjectSources.ROOT;
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
            Map.entry("fleet", Set.of("base", "names", "store")),
            Map.entry("proximity", Set.of("base", "names")),
            Map.entry("gnrs", Set.of("base", "names", "store", "proximity")),
            Map.entry("handle", Set.of("base", "names", "store", "proximity", "web")),
            Map.entry("alto", Set.of("base", "names", "proximity", "web")),
            Map.entry("naming", Set.of("base", "names", "store", "proximity", "web")),
            Map.entry("scaffold", Set.of("base", "names", "packet", "store")),
            Map.entry("dns", Set.of("base", "names", "store", "proximity")),
            Map.entry("middlebox", Set.of("base", "names", "packet", "proximity")),
            Map.entry("server", Set.of(
                    "base", "names", "packet", "web", "store", "fleet", "proximity", "gnrs", "handle", "alto", "scaffold", "dns",
                    "naming", "middlebox")),
            Map.entry("lab", Set.of(
                    "base", "names", "packet", "store", "proximity", "web", "gnrs", "handle", "alto", "naming", "scaffold", "server",
                    "client")),
            Map.entry("packages", Set.of("server")),
            Map.entry("clients/java", Set.of()),
            Map.entry("stress", Set.of("base", "names", "packet", "store", "proximity", "gnrs", "dns")),
            Map.entry("examples", Set.of(
                    "base", "names", "packet", "web", "store", "proximity", "gnrs", "handle", "alto", "middlebox", "server", "client")),
            Map.entry("bench", Set.of(
                    "base", "names", "packet", "web", "store", "fleet", "proximity", "gnrs", "handle", "alto", "scaffold", "middlebox",
                    "server")));

    private static final Pattern ROOM = Pattern.compile("\\bio\\.guidepost\\.([a-z]+)\\b");

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
        for (Path file : ProjectSources.of("main", "test")) {
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
            for (Path file : ProjectSources.files(ROOT.resolve(module).resolve("src"), ".java")) {
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
        ProjectSources.of("main").stream()
                .filter(each -> !each.endsWith("module-info.java"))
                .forEach(each -> folders.add(each.getParent()));
        for (Path folder : folders) {
            assertThat(folder.resolve("package-info.java")).exists().content().contains("/**");
        }
        ProjectSources.of("main").stream()
                .filter(each -> each.endsWith("module-info.java"))
                .forEach(each -> assertThat(each).content().contains("/**", "@NullMarked"));
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
        for (Path file : ProjectSources.of("main", "test")) {
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
        for (Path page : pages()) {
            assertThat(text(page)).as(ROOT.relativize(page).toString()).startsWith("# ");
        }
    }

    @Test
    void filesThatTheArchitectureNamesAreThere() {
        Pattern name = Pattern.compile("`([a-z]+)/([A-Za-z]+\\.java)`");
        for (MatchResult each : name.matcher(text(ROOT.resolve("ARCHITECTURE.md"))).results().toList()) {
            assertThat(ProjectSources.files(ROOT.resolve(each.group(1)).resolve("src"), "/" + each.group(2)))
                    .as("ARCHITECTURE.md names " + each.group())
                    .hasSize(1);
        }
    }

    /** The pages for readers: those of the root and of docs. */
    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(ProjectSources.files(ROOT.resolve("docs"), ".md"));
        for (String each : List.of("README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "SECURITY")) {
            pages.add(ROOT.resolve(each + ".md"));
        }
        return pages;
    }

    /** Words of which no actor follows; style and reasons are in CONTRIBUTING.md. */
    private static final Pattern BANNED_WORDS =
            Pattern.compile("\\b(whoever|who asks|nobody|everybody|so many)\\b", Pattern.CASE_INSENSITIVE);

    @Test
    void sentencesNameTheirActor() {
        List<Path> all = new ArrayList<>(ProjectSources.of("main"));
        all.addAll(pages());
        List<String> found = new ArrayList<>();
        for (Path file : all) {
            String text = text(file);
            BANNED_WORDS.matcher(text).results().forEach(each -> found.add(ROOT.relativize(file) + ":"
                    + (text.substring(0, each.start()).lines().count() + 1) + ": " + each.group()));
        }
        assertThat(found).as("name the client, the peer server, the worker; give the number a name").isEmpty();
    }

    /** A file that a search for a term of the field has to find, among others. */
    private static final Map<String, String> TERMS = Map.ofEntries(
            Map.entry("conntrack", "middlebox/nat/NatTable.java"),
            Map.entry("rate limit", "base/TokenBucket.java"),
            Map.entry("token bucket", "base/TokenBucket.java"),
            Map.entry("backpressure", "server/http/BackpressuredWriter.java"),
            Map.entry("retransmission", "handle/service/RetransmissionCache.java"),
            Map.entry("health check", "middlebox/balance/HealthChecks.java"),
            Map.entry("negative cache", "gnrs/relay/RemoteRecordCache.java"),
            Map.entry("anti-entropy", "gnrs/antientropy/AntiEntropy.java"),
            Map.entry("hinted handoff", "gnrs/replica/HintedHandoff.java"),
            Map.entry("read repair", "gnrs/relay/ReadRepair.java"),
            Map.entry("hedged request", "gnrs/relay/RecordFetch.java"),
            Map.entry("heavy hitter", "packet/admission/FairQueue.java"));

    @Test
    void aSearchForATermOfTheFieldFindsTheFile() {
        TERMS.forEach((term, file) -> {
            List<Path> found = ProjectSources.of("main").stream().filter(each -> each.endsWith("io/guidepost/" + file)).toList();
            assertThat(found).as(file).hasSize(1);
            assertThat(text(found.getFirst())).as(file).containsIgnoringCase(term);
        });
    }

    private static final Pattern GLOSSARY_ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\| `(\\w+)` \\|$");

    /** A term without what stands in brackets behind it, without hyphens and plural; the first of several. */
    private static String essence(String term) {
        return term.replaceAll("\\(.*?\\)|,.*", "").strip().toLowerCase(Locale.ROOT).replaceAll("[- ]", "").replaceAll("s$", "");
    }

    @Test
    void eachTermOfTheGlossaryStandsInItsClass() {
        List<MatchResult> rows =
                GLOSSARY_ROW.matcher(text(ROOT.resolve("docs/glossary.md"))).results().toList();
        assertThat(rows).hasSizeGreaterThan(50);
        for (MatchResult each : rows) {
            List<Path> found = ProjectSources.of("main").stream().filter(file -> file.endsWith(each.group(2) + ".java")).toList();
            assertThat(found).as("docs/glossary.md: " + each.group(2)).hasSize(1);
            assertThat(text(found.getFirst()).replaceAll("\\n *\\* ", "").replaceAll("[- ]", "").toLowerCase(Locale.ROOT))
                    .as("docs/glossary.md: the term '%s' in %s", each.group(1), each.group(2))
                    .contains(essence(each.group(1)));
        }
    }

    private static final Pattern TYPE = Pattern.compile("(?<![.\\w@])(?:class|interface|record|enum) ([A-Z]\\w*)\\b(?=[^;]*\\{)");

    private static final Map<Path, String> CODE = new ConcurrentHashMap<>();

    /** A source without comments and texts. */
    private static String code(Path file) {
        return CODE.computeIfAbsent(file, each -> text(each)
                .replaceAll("(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|/\\*.*?\\*/|//[^\\n]*|'(?:\\\\.|[^'\\\\])'", " "));
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String packageOf(Path file) {
        return file.toString().replaceFirst(".*/java/", "").replaceFirst("/[^/]*$", "");
    }

    private static boolean isClass(Path file) {
        return !simpleName(file).contains("-info");
    }

    private static Set<String> types(Path file) {
        return new TreeSet<>(TYPE.matcher(code(file)).results().map(each -> each.group(1)).toList());
    }

    /** Names of our own that gave way to a term of the field; as names of classes they would bring back what they hid. */
    private static final Set<String> RETIRED = Set.of(("Partner Course Demand FairTurns Sketch Shares SourcePrefix BusyNetworks"
            + " Backlog WaitingLookup WaitingLookups Lanes Gathering Everything FarReader NearestBase Chain AddressPrefix CatchUp"
            + " Sweep Contacts Talk Memories Interests Repeats Hints Handovers Fixes Repair Absence Forgotten Copy OwnMerge Held"
            + " Pace SourceBudget Aside AsideProgram Trains Duty Waiter PollPace UdpHeader Ledger Gate Waiting Neighbours"
            + " ReturnPaths RecentTable Tally HostCounts Mappings Translator FirewallWay RuleProducts RuleVectors RuleTree Stations"
            + " Probes BackEnds Effort Kept KeptAnswers ReadyAnswers Carrier KeptConnection Dialogue Calls Outgoing FairShare"
            + " Familiar Unlike Words QuickRanking Patience Arrivals Room HeldBack Sending Work Answers Unification PlainRequests"
            + " TurnEnd AltoTelling Opening LateObserver Whereabouts Altos Proxidors Trouble Promises Breach Tale Weather Closest"
            + " Choices ForeignImage ThroughReader Chores Question Nobody").split(" "));

    @Test
    void classesDoNotHaveRetiredNames() {
        for (Path file : ProjectSources.of("main")) {
            assertThat(types(file)).as(ROOT.relativize(file) + ": see docs/glossary.md").doesNotContainAnyElementsOf(RETIRED);
        }
    }

    /**
     * Nested types that have the name of another class, with the reason. At most five: each makes a reader ask which one is
     * meant.
     */
    private static final Map<String, String> NAMES_TWICE = Map.of(
            "Key", "the key of a hash table, of which several classes have one of their own; a configuration key",
            "DiffieHellman", "the key exchange as it is on the wire, and the computation",
            "Door", "the doors that the flood scene names on its command line");

    @Test
    void aSimpleNameMeansOneThing() {
        Map<String, Path> classes = new TreeMap<>();
        for (Path file : ProjectSources.of("main")) {
            if (isClass(file)) {
                assertThat(classes.put(simpleName(file), file)).as("two classes " + simpleName(file)).isNull();
            }
        }
        Set<String> twice = new TreeSet<>();
        for (Path file : ProjectSources.of("main")) {
            types(file).stream().filter(each -> classes.containsKey(each) && !simpleName(file).equals(each)).forEach(twice::add);
        }
        assertThat(twice).as("nested types with the name of another class").isEqualTo(new TreeSet<>(NAMES_TWICE.keySet()));
        assertThat(NAMES_TWICE).hasSizeLessThanOrEqualTo(5);
    }

    /** Public types that only a framework or a user of the library names. */
    private static final Map<String, String> PUBLIC_FOR_OTHERS = Map.ofEntries(
            Map.entry("LabCommands", "found by ServiceLoader"),
            Map.entry("StructuredLogWriter", "made by the log's library, by its name"),
            Map.entry("BenchCommand", "has the main method of bench"),
            Map.entry("SceneOptions", "filled by picocli"));

    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*\\b");
    private static final Pattern PUBLIC_TYPE = Pattern.compile("(?m)^public [a-z -]*(class|interface|record|enum) ");
    private static final Pattern SIGNATURE =
            Pattern.compile("(?m)^ *(public|protected) [^;={]*|^public [^{]*|^ {4,8}[\\w<>@.?, \\[\\]]+\\([^;{]*\\);");

    private static Set<String> names(String code) {
        return new TreeSet<>(NAME.matcher(code).results().map(MatchResult::group).toList());
    }

    @Test
    void publicTypesAreUsedByAnotherPackage() {
        Map<String, Set<Path>> users = new TreeMap<>();
        for (Path file : ProjectSources.of("main", "test")) {
            names(code(file)).forEach(each -> users.computeIfAbsent(each, _ -> new TreeSet<>()).add(file));
        }
        List<String> unused = new ArrayList<>();
        for (Path file : ProjectSources.of("main")) {
            String name = simpleName(file);
            String code = code(file);
            if (!isClass(file) || !PUBLIC_TYPE.matcher(code).find() || code.contains("@Benchmark") || code.contains("void main(")
                    || PUBLIC_FOR_OTHERS.containsKey(name)) {
                continue;
            }
            boolean used = users.getOrDefault(name, Set.of()).stream()
                    .anyMatch(each -> !packageOf(each).equals(packageOf(file))
                            || !each.equals(file) && PUBLIC_TYPE.matcher(code(each)).find()
                                    && SIGNATURE.matcher(code(each)).results().anyMatch(line -> names(line.group()).contains(name)));
            if (!used) {
                unused.add(ROOT.relativize(file).toString());
            }
        }
        assertThat(unused).as("public types that no other package names, and no signature of a public type").isEmpty();
    }

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    /** What a page's headings are called in links, as GitHub makes it. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new TreeSet<>();
        for (String line : text(page).split("\n", -1)) {
            if (line.startsWith("#")) {
                String slug = line.replaceFirst("#+ +", "").toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
                for (int i = 0; !anchors.add(i == 0 ? slug : slug + "-" + i); i++) {}
            }
        }
        return anchors;
    }

    @Test
    void linksOfTheDocumentationLead() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            String text = text(page).replaceAll("(?ms)^```.*?^```", "").replaceAll("`[^`\n]*`", "");
            for (MatchResult each : LINK.matcher(text).results().toList()) {
                String[] target = each.group(1).split("#", 2);
                if (!target[0].matches("[a-z]+:.*")) {
                    Path file = target[0].isEmpty() ? page : page.resolveSibling(target[0]).normalize();
                    if (!Files.exists(file) || target.length > 1 && !anchors(file).contains(target[1])) {
                        broken.add(ROOT.relativize(page) + ": " + each.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }
}
