package io.guidepost.examples;

import static java.util.Objects.requireNonNull;

import io.guidepost.client.GuidepostException;
import io.guidepost.client.NameChange;
import io.guidepost.client.NameClient;
import io.guidepost.client.NameClientSettings;
import io.guidepost.client.NameGuid;
import io.guidepost.client.NameLease;
import io.guidepost.client.NamePlace;
import io.guidepost.client.NameRecord;
import io.guidepost.client.NameWatcher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs clients/scenarios.txt with the client of Java against the server that an environment names. */
final class ClientScenarios {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final Pattern WORD = Pattern.compile("\\$([A-Z]+)");
    private static final Pattern GUID_OF = Pattern.compile("@(\\S+)");

    private final Map<String, String> environment;
    private final List<NameClient> opened = new ArrayList<>();
    private NameClient client;
    private String version = "";
    private @Nullable NameWatcher watch;
    private @Nullable NameLease lease;

    private ClientScenarios(Map<String, String> environment) throws IOException {
        this.environment = environment;
        this.client = open(Map.of());
    }

    /** Returns a line for each scenario: {@code ok} and its title, or {@code FAILED}, its title and what is wrong. */
    static List<String> run(Path file, Map<String, String> environment) throws IOException {
        List<String> told = new ArrayList<>();
        for (String each : Files.readString(file).split("(?m)^== ", -1)) {
            List<String> lines = each.lines().toList();
            if (each.startsWith("#")) {
                continue;
            }
            Optional<String> wrong = play(lines.subList(1, lines.size()).stream()
                    .filter(line -> !line.isBlank())
                    .map(line -> WORD.matcher(line).replaceAll(word -> Matcher.quoteReplacement(
                            word.group(1).equals("L") ? "java" : variable(environment, word.group(1)))))
                    .map(line -> GUID_OF.matcher(line).replaceAll(name -> guid(name.group(1))))
                    .toList(), environment);
            told.add(wrong.map(what -> "FAILED " + lines.get(0) + ": " + what).orElse("ok " + lines.get(0)));
        }
        return told;
    }

    /** Returns a word that stands for something of the environment. */
    static String variable(Map<String, String> environment, String word) {
        return requireNonNull(environment.get(word), word);
    }

    private static String guid(String name) {
        return HexFormat.of().formatHex(NameGuid.of(name));
    }

    private static Optional<String> play(List<String> lines, Map<String, String> environment) throws IOException {
        ClientScenarios run = new ClientScenarios(environment);
        try {
            for (int at = 0; at < lines.size();) {
                String action = lines.get(at++);
                List<String> wanted = new ArrayList<>();
                while (at < lines.size() && lines.get(at).startsWith(">")) {
                    wanted.add(lines.get(at++).substring(2));
                }
                boolean again = action.startsWith("await ");
                long endNanos = System.nanoTime() + PATIENCE_NANOS;
                List<String> given;
                do {
                    given = run.act(List.of((again ? action.substring(6) : action).split(" ")));
                } while (again && !fits(wanted, given) && System.nanoTime() < endNanos);
                if (!fits(wanted, given)) {
                    return Optional.of("'" + action + "' gave " + given + ", not " + wanted);
                }
            }
            return Optional.empty();
        } finally {
            for (NameClient each : run.opened) {
                each.close();
            }
        }
    }

    private static boolean fits(List<String> wanted, List<String> given) {
        if (wanted.size() != given.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            String[] parts = wanted.get(i).split(": ?", 2);
            boolean fits = wanted.get(i).startsWith("! ")
                    ? given.get(i).startsWith(parts[0] + ":") && given.get(i).contains(parts[1])
                    : wanted.get(i).equals(given.get(i));
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private NameClient open(Map<String, String> given) throws IOException {
        NameClientSettings settings = NameClientSettings.of(given.getOrDefault("servers", variable(environment, "HTTP")).split(","))
                .withGnrs(Stream.of(given.getOrDefault("gnrs", variable(environment, "GNRS")).split(","))
                        .filter(each -> !each.equals("-")).toArray(String[]::new))
                .withAlto(variable(environment, "ALTO"))
                .withTimeouts(
                        Duration.ofMillis(Long.parseLong(given.getOrDefault("timeout", "5000"))),
                        Duration.ofMillis(Long.parseLong(given.getOrDefault("hedge", "100"))));
        String token = given.getOrDefault("token", variable(environment, "TOKEN"));
        client = NameClient.open(token.equals("-") ? settings : settings.withToken(token));
        opened.add(client);
        return client;
    }

    private static Map<String, String> pairs(List<String> words) {
        Map<String, String> pairs = new LinkedHashMap<>();
        words.forEach(each -> pairs.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1)));
        return pairs;
    }

    private static NamePlace place(String text) {
        List<String> parts = Arrays.asList(text.split(";"));
        Map<String, String> pairs = pairs(parts.subList(1, parts.size()));
        String ttl = pairs.remove("ttl");
        String weight = pairs.remove("weight");
        return new NamePlace(
                parts.get(0),
                ttl == null ? null : Duration.ofMillis((long) (1000 * Double.parseDouble(ttl))),
                null,
                weight == null ? null : Integer.valueOf(weight),
                pairs);
    }

    private static String text(NamePlace place) {
        StringBuilder text = new StringBuilder(place.address());
        if (place.ttl() != null) {
            text.append(";ttl=").append(Double.toString(place.ttl().toMillis() / 1000.0).replaceFirst("\\.0$", ""));
        }
        if (place.weight() != null) {
            text.append(";weight=").append(place.weight());
        }
        new TreeMap<>(place.labels()).forEach((key, value) -> text.append(';').append(key).append('=').append(value));
        return text.toString();
    }

    private static List<String> addresses(List<NamePlace> places) {
        return places.stream().map(NamePlace::address).toList();
    }

    private static NamePlace[] places(List<String> words) {
        return words.stream().map(ClientScenarios::place).toArray(NamePlace[]::new);
    }

    private List<String> act(List<String> words) throws IOException {
        try {
            return act(words.get(0), words.subList(1, words.size()));
        } catch (GuidepostException error) {
            return List.of("! " + error.kind().name().toLowerCase(Locale.ROOT) + ": " + error.getMessage());
        }
    }

    private List<String> act(String action, List<String> words) throws IOException {
        String name = words.isEmpty() ? "" : words.get(0);
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        List<String> given = new ArrayList<>();
        switch (action) {
            case "client" -> open(pairs(words));
            case "put" -> version = client.put(name, places(rest)).version();
            case "create" -> client.putIfAbsent(name, places(rest));
            case "replace" -> version = client.putIfVersion(name, version, places(rest)).version();
            case "add" -> client.add(name, places(rest));
            case "remove" -> {
                if (rest.isEmpty()) {
                    given.add(client.remove(name) ? "removed" : "nothing");
                } else {
                    client.remove(name, rest);
                }
            }
            case "get" -> {
                Optional<NameRecord> record = client.get(name);
                version = record.map(NameRecord::version).orElse("");
                given.addAll(record.map(each -> each.places().stream().map(ClientScenarios::text).toList()).orElse(List.of("nothing")));
            }
            case "resolve" -> given.addAll(addresses(client.resolve(name)));
            case "nearest" -> given.addAll(addresses(client.resolveNearest(name, rest.get(0))));
            case "list" -> client.list(name, each -> given.add(each.name()));
            case "rank" -> given.addAll(client.rank(words, Optional.empty()));
            case "guid" -> given.add(guid(name));
            case "watch" -> watch = client.watch(name);
            case "next" -> given.add(told(watch().next()));
            case "unwatch" -> watch().close();
            case "lease" -> lease = client.lease(Duration.ofMillis((long) (1000 * Double.parseDouble(name))));
            case "hold" -> lease().add(name, places(rest));
            case "release" -> lease().remove(name);
            case "end" -> lease().close();
            case "renewed" -> given.addAll(until(() -> lease().renewed() >= Integer.parseInt(name)));
            case "lost" -> given.addAll(until(() -> lease().lost() >= Integer.parseInt(name)));
            case "lose" -> control("lose?" + lease().id().orElseThrow());
            case "control" -> control(name);
            default -> throw new IllegalArgumentException("no such action: " + action);
        }
        return given;
    }

    private NameWatcher watch() {
        return requireNonNull(watch, "'watch' comes before this");
    }

    private NameLease lease() {
        return requireNonNull(lease, "'lease' comes before this");
    }

    private static String told(NameChange change) {
        StringBuilder told = new StringBuilder(change.kind().name().toLowerCase(Locale.ROOT));
        told.append(change.name().isEmpty() ? "" : " ").append(change.name());
        change.record().ifPresent(record -> record.places().forEach(each -> told.append(' ').append(each)));
        return told.toString();
    }

    private List<String> until(BooleanSupplier condition) {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > endNanos) {
                return List.of("not in time: " + lease().error());
            }
            LockSupport.parkNanos(20_000_000);
        }
        return List.of();
    }

    private void control(String word) throws IOException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(variable(environment, "CONTROL") + "/" + word))
                    .POST(HttpRequest.BodyPublishers.noBody()).build();
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
