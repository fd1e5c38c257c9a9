// Breaks the product on purpose, one promise at a time, and shows that a test fails. Run by ./guidepost mutants.
//
// tools/mutants.txt has a paragraph for each mutant:
//
//   # name      what is broken, in one sentence
//   in FILE     the source that changes
//   - TEXT      what stands there, once; further lines of it begin with "- " too
//   + TEXT      what stands there instead; no such line: nothing; more sources may follow
//   by MODULE CLASS[#METHOD] ...   the tests of that module that must fail; those tagged "long" are left out
//
// Only the changed sources are compiled, in front of the class path of the module's tests. A mutant counts as caught if its test passes
// without it and fails with it; a mutant that does not compile, or whose text is not found once, is an error of the list.

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

record Hunk(String file, String before, String after) {
    String applied(String source) throws IOException {
        int at = source.indexOf(before);
        if (before.isEmpty() || at < 0 || source.indexOf(before, at + 1) >= 0) {
            throw new IOException("its text does not stand exactly once in " + file);
        }
        return source.substring(0, at) + after + source.substring(at + before.length());
    }
}

record Mutant(String name, String what, List<Hunk> hunks, String module, List<String> tests) {
    /** The sources with the defect, by file. */
    Map<String, String> applied(Path root) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Hunk each : hunks) {
            String source = sources.containsKey(each.file()) ? sources.get(each.file()) : Files.readString(root.resolve(each.file()));
            sources.put(each.file(), each.applied(source));
        }
        return sources;
    }
}

record Run(int code, String output, long seconds) {
    /** The first line that says what a test found. */
    String failure() {
        Matcher first = Pattern.compile("=> (.*(?:\\R(?!\\s*(?:\\[\\.\\.\\.\\]|at |\\R)).*){0,3})").matcher(output);
        String found = first.find() ? first.group(1).replaceAll("\\s+", " ").strip() : "no message";
        return found.length() > 150 ? found.substring(0, 150) + "..." : found;
    }
}

Path root;
Path java;
Map<String, Run> without = new HashMap<>();

List<Mutant> read() throws IOException {
    List<Mutant> mutants = new ArrayList<>();
    List<String> lines = Files.readAllLines(root.resolve("tools/mutants.txt"));
    for (int i = 0; i < lines.size(); i++) {
        if (!lines.get(i).startsWith("# ")) {
            continue;
        }
        String[] title = lines.get(i).substring(2).split("\\s+", 2);
        String module = "";
        List<String> tests = List.of();
        List<String> files = new ArrayList<>();
        List<List<String>> befores = new ArrayList<>();
        List<List<String>> afters = new ArrayList<>();
        for (i++; i < lines.size() && !lines.get(i).isBlank(); i++) {
            String line = lines.get(i);
            if (line.startsWith("in ")) {
                files.add(line.substring(3).strip());
                befores.add(new ArrayList<>());
                afters.add(new ArrayList<>());
            } else if (line.startsWith("-")) {
                befores.getLast().add(line.length() < 2 ? "" : line.substring(2));
            } else if (line.startsWith("+")) {
                afters.getLast().add(line.length() < 2 ? "" : line.substring(2));
            } else if (line.startsWith("by ")) {
                String[] words = line.substring(3).strip().split("\\s+");
                module = words[0];
                tests = List.of(words).subList(1, words.length);
            } else {
                throw new IOException("tools/mutants.txt:" + (i + 1) + ": a line begins with '#', 'in', '-', '+' or 'by', not so: " + line);
            }
        }
        List<Hunk> hunks = new ArrayList<>();
        for (int k = 0; k < files.size(); k++) {
            hunks.add(new Hunk(files.get(k), String.join("\n", befores.get(k)), String.join("\n", afters.get(k))));
        }
        mutants.add(new Mutant(title[0], title.length > 1 ? title[1] : "", hunks, module, tests));
    }
    return mutants;
}

Run run(Path folder, List<String> command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Path log = Files.createTempFile("mutant", ".log");
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    // A mutant that never ends is caught by that too.
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        Files.writeString(log, "\n=> no end within 5 minutes\n", StandardOpenOption.APPEND);
    }
    String output = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
    Files.delete(log);
    return new Run(process.exitValue(), output, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
}

/** Runs tests of a module as its build does, with some classes in front. */
Run test(String module, List<String> tests, String classes) throws IOException, InterruptedException {
    Path folder = root.resolve(module);
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx1g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    Matcher options = Pattern.compile("<test\\.options>(.*?)</test\\.options>").matcher(Files.readString(folder.resolve("pom.xml")));
    if (options.find()) {
        // Without the built program, out of whose jars tests would start their children: these have the defect as well.
        Stream.of(options.group(1).replace("${project.build.directory}", folder + "/target").split("\\s+"))
                .filter(each -> !each.startsWith("-Dguidepost.built="))
                .forEach(command::add);
    }
    command.addAll(List.of("-cp", classes + path(module), "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner",
            "--details=none", "--disable-ansi-colors", "--fail-if-no-tests", "--exclude-tag=long",
            "--config=junit.jupiter.execution.timeout.default=120s"));
    for (String each : tests) {
        // Not by "--select-method", which wants the types of a method's parameters too.
        command.add("--select-class=" + each.replaceAll("#.*", ""));
        command.add("--include-methodname=" + (each.contains("#") ? each : each + "(\\$.*)?#.*"));
    }
    return run(folder, command);
}

String path(String module) throws IOException {
    Path target = root.resolve(module).resolve("target");
    return target + "/test-classes:" + target + "/classes:" + Files.readString(target.resolve("test.path")).strip();
}

/** Where what the changed sources use is found: in their own modules and in that of the tests. */
String path(Mutant mutant) throws IOException {
    StringBuilder path = new StringBuilder(path(mutant.module()));
    for (Hunk each : mutant.hunks()) {
        path.append(':').append(path(each.file().substring(0, each.file().indexOf('/'))));
    }
    return path.toString();
}

/** The full names of tests, which the list gives without their package. */
List<String> named(Mutant mutant) throws IOException {
    List<String> names = new ArrayList<>();
    Path sources = root.resolve(mutant.module()).resolve("src/test/java");
    for (String each : mutant.tests()) {
        String simple = each.replaceAll("#.*", "");
        try (Stream<Path> files = Files.walk(sources)) {
            Path file = files.filter(one -> one.endsWith(simple + ".java")).findFirst()
                    .orElseThrow(() -> new IOException(mutant.name() + ": " + mutant.module() + " has no test " + simple));
            String full = sources.relativize(file).toString().replace('/', '.').replaceAll("\\.java$", "");
            String method = each.substring(simple.length());
            if (!method.isEmpty() && !Files.readString(file).contains(method.substring(1) + "(")) {
                throw new IOException(simple + " has no test " + method.substring(1));
            }
            names.add(full + method);
        }
    }
    return names;
}

/** Says in one line what became of a mutant, and whether a test caught it. */
boolean caught(Mutant mutant) throws IOException, InterruptedException {
    List<String> tests = named(mutant);
    String key = mutant.module() + tests;
    Run clean = without.get(key);
    if (clean == null) {
        clean = test(mutant.module(), tests, "");
        without.put(key, clean);
    }
    if (clean.code() != 0) {
        IO.println("ERROR     " + mutant.name() + ": " + mutant.tests() + " fails without it: " + clean.failure());
        return false;
    }
    Path made = Files.createTempDirectory("mutant");
    try {
        Path classes = Files.createDirectory(made.resolve("classes"));
        List<String> compiler = new ArrayList<>(List.of(java.resolveSibling("javac").toString(), "-proc:none", "-nowarn", "-parameters",
                "--release", "25", "-d", classes.toString(), "-cp", path(mutant)));
        for (Map.Entry<String, String> each : mutant.applied(root).entrySet()) {
            Path source = made.resolve(each.getKey());
            Files.createDirectories(source.getParent());
            Files.writeString(source, each.getValue());
            compiler.add(source.toString());
        }
        Run compiled = run(root, compiler);
        if (compiled.code() != 0) {
            IO.println("ERROR     " + mutant.name() + " does not compile:\n" + compiled.output());
            return false;
        }
        Run run = test(mutant.module(), tests, classes + ":");
        boolean caught = run.code() != 0;
        IO.println((caught ? "caught    " : "SURVIVED  ") + mutant.name() + ", by " + String.join(" ", mutant.tests()) + " (" + run.seconds()
                + " s)" + (caught ? ": " + run.failure() : ": " + mutant.what()));
        return caught;
    } finally {
        try (Stream<Path> files = Files.walk(made)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}

void main(String[] args) throws Exception {
    root = Path.of(args[0]).toAbsolutePath();
    java = Path.of(args[1], "bin", "java");
    List<String> wanted = List.of(args).subList(2, args.length);
    List<Mutant> mutants = read();
    List<String> unknown = wanted.stream().filter(each -> mutants.stream().noneMatch(one -> one.name().equals(each))).toList();
    if (wanted.equals(List.of("list"))) {
        mutants.forEach(each -> IO.println(String.format("%-28s %s", each.name(), each.what())));
        return;
    }
    if (!unknown.isEmpty()) {
        System.err.println("guidepost: there is no mutant " + String.join(", ", unknown) + "; 'guidepost mutants list' says which there are");
        System.exit(2);
    }
    int missed = 0;
    int tried = 0;
    for (Mutant each : mutants) {
        if (wanted.isEmpty() || wanted.contains(each.name())) {
            tried++;
            try {
                missed += caught(each) ? 0 : 1;
            } catch (IOException e) {
                IO.println("ERROR     " + each.name() + ": " + e.getMessage());
                missed++;
            }
        }
    }
    IO.println(tried - missed + " of " + tried + " mutants caught");
    System.exit(missed == 0 ? 0 : 1);
}
