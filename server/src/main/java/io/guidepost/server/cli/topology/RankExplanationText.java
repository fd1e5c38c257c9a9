package io.guidepost.server.cli.topology;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Address;
import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ProxidorOptions;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why candidates are ranked as they are, as the admin port of the server tells it. */
record RankExplanationText(String body, List<JsonField> rows) {
    /** Rows of an answer that are taken: what a person asks about fits many times. */
    private static final int ROWS_MAX = 100_000;

    /** Asks {@code /rank}. */
    static RankExplanationText ask(AdminOptions admin, ProxidorOptions server, List<Candidate> candidates) throws IOException {
        String source = server.source().isPresent() ? first(server.source().get()) : ownAddress(server.address());
        String to = candidates.stream().map(each -> first(each.block())).collect(Collectors.joining(","));
        AdminOptions.Reply reply =
                admin.get("/rank?source=" + encoded(source) + "&to=" + encoded(to));
        try {
            JsonValue read = JsonValue.read(reply.body().getBytes(StandardCharsets.UTF_8));
            if (!reply.done()) {
                Optional<JsonField> error = read.whole().find("error");
                throw new IOException(
                        "the admin port does not explain: " + (error.isPresent() ? error.get().text() : reply.body().strip()));
            }
            return new RankExplanationText(reply.body(), read.whole().elements(ROWS_MAX));
        } catch (Malformed e) {
            throw new IOException("the admin port answered " + reply.status() + " with something that is no explanation: "
                    + e.reason(), e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String first(Prefix block) {
        return new Address(block.high(), block.low()).toString();
    }

    /** The address that a server sees questions come from. */
    private static String ownAddress(InetSocketAddress server) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            return AddressText.of(socket.getLocalAddress()).replaceFirst("%.*", "");
        }
    }

    /** Returns whether the topology knows none of the candidates. */
    boolean isEmpty() {
        return rows.stream().noneMatch(each -> cell(each, "rank").chars().anyMatch(Character::isDigit));
    }

    String json() {
        return body.endsWith("\n") ? body : body + "\n";
    }

    /** For people: one line each, nearest first. */
    String table() {
        List<String> metrics = new ArrayList<>();
        for (JsonField row : rows) {
            for (String name : members(row, "metrics").keySet()) {
                if (!metrics.contains(name)) {
                    metrics.add(name);
                }
            }
        }
        List<String> heading = new ArrayList<>(List.of("rank", "address", "prefix", "cost"));
        heading.addAll(metrics);
        heading.add("path");
        TextTable table = new TextTable(heading.toArray(String[]::new));
        for (JsonField row : rows) {
            List<Object> cells = new ArrayList<>();
            for (String name : List.of("rank", "address", "prefix", "cost")) {
                cells.add(cell(row, name));
            }
            Map<String, JsonValue> way = members(row, "metrics");
            metrics.forEach(name -> cells.add(way.containsKey(name) ? text(way.get(name)) : ""));
            cells.add(path(row) + cell(row, "why"));
            table.row(cells.toArray());
        }
        return table.toString();
    }

    private static Map<String, JsonValue> members(JsonField row, String name) {
        return row.json() instanceof JsonValue.Members(var of, _) && of.get(name) instanceof JsonValue.Members(var inner, _)
                ? inner
                : Map.of();
    }

    /** The routers of a path; names may have blanks. */
    private static String path(JsonField row) {
        return row.json() instanceof JsonValue.Members(var of, _) && of.get("path-names") instanceof JsonValue.Elements(var routers, _)
                ? routers.stream().map(RankExplanationText::text).collect(Collectors.joining(" > "))
                : "";
    }

    private static String cell(JsonField row, String name) {
        return row.json() instanceof JsonValue.Members(var of, _) && of.containsKey(name) ? text(of.get(name)) : "";
    }

    private static String text(JsonValue value) {
        return switch (value) {
            case JsonValue.Text(String text, _) -> text;
            case JsonValue.Number(String digits, _) -> digits;
            case JsonValue.Truth(boolean truth, _) -> Boolean.toString(truth);
            case JsonValue.Elements(var elements, _) -> elements.stream().map(RankExplanationText::text).collect(Collectors.joining(" "));
            case JsonValue.Null _, JsonValue.Members _ -> "";
        };
    }
}
