package io.guidepost.server.cli.names;

import io.guidepost.base.AddressText;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Says in two tables where a GUID is placed, as {@link io.guidepost.server.gnrs.PlacementTrace} told, and what is there. */
record PlacementText(Map<String, Object> where) {
    private static final String HOLE = "a hole: hashed again";

    /** Places shown of each form that differs; all of them are in the JSON. */
    private static final int SHOWN_MAX = 4;

    private static final int LETTERS = 26;

    private List<Map<?, ?>> rows(String name) {
        return AdminOptions.rows(where, name);
    }

    List<InetSocketAddress> servers() throws IOException {
        List<InetSocketAddress> servers = new ArrayList<>();
        for (Map<?, ?> each : rows("servers")) {
            servers.add(ClientOptions.address(AdminOptions.text(each, "address")));
        }
        return servers;
    }

    String write(Guid guid, List<ReplicaState> holdings) {
        List<Map<?, ?>> copies = rows("copies");
        if (copies.isEmpty()) {
            return "No tables are loaded: the server keeps every GUID, and knows of no other server.\n";
        }
        int servers = rows("servers").size();
        return guid + " has " + copies.size() + (copies.size() == 1 ? " copy" : " copies") + " at " + servers
                + (servers == 1 ? " server" : " servers") + "\n\n" + steps(copies) + "\n" + held(copies, holdings);
    }

    private TextTable steps(List<Map<?, ?>> copies) {
        TextTable table = new TextTable("copy", "hash of", "is address", "which lies in", "of AS", "at server");
        for (Map<?, ?> each : copies) {
            List<?> hashed = each.get("hashed") instanceof List<?> list ? list : List.of();
            boolean deputy = Boolean.TRUE.equals(each.get("deputy"));
            for (int i = 0; i < hashed.size(); i++) {
                boolean last = i == hashed.size() - 1;
                String copy = i == 0 ? AdminOptions.text(each, "copy") : "";
                String of = i == 0 ? "the GUID" : String.valueOf(hashed.get(i - 1));
                if (last && !deputy) {
                    table.row(copy, of, hashed.get(i), AdminOptions.text(each, "block"), AdminOptions.text(each, "as"), place(each));
                } else {
                    table.row(copy, of, hashed.get(i), last ? "a hole: the nearest block is" : HOLE, "", "");
                }
            }
            if (deputy) {
                table.row("", "", "", AdminOptions.text(each, "block"), AdminOptions.text(each, "as"), place(each));
            }
        }
        return table;
    }

    private String place(Map<?, ?> copy) {
        String server = AdminOptions.text(copy, "server");
        return server.isEmpty() ? "none: this AS has no server" : named(server);
    }

    private String named(String address) {
        return rows("servers").stream()
                .filter(each -> AdminOptions.text(each, "address").equals(address))
                .map(each -> AdminOptions.text(each, "name"))
                .filter(name -> !name.equals(address))
                .findFirst()
                .map(name -> name + " " + address)
                .orElse(address);
    }

    private String held(List<Map<?, ?>> copies, List<ReplicaState> holdings) {
        if (holdings.isEmpty()) {
            return "";
        }
        TextTable table = new TextTable("server", "copies", "has", "answered in", "");
        Map<Set<String>, String> letters = letters(holdings);
        for (ReplicaState each : holdings) {
            String address = AddressText.of(each.server());
            String numbers = copies.stream()
                    .filter(copy -> AdminOptions.text(copy, "server").equals(address))
                    .map(copy -> AdminOptions.text(copy, "copy"))
                    .collect(Collectors.joining(" "));
            GnrsResponse answer = each.answer();
            table.row(
                    named(address),
                    numbers,
                    (each.text() + " " + letters.getOrDefault(each.places(), "")).strip(),
                    answer == null || !each.answered() ? "" : answer.roundTripNanos() / 1000 + " µs",
                    isHere(address) ? "the server asked" : "");
        }
        return table + "\n" + verdict(holdings);
    }

    /** Different contents get letters, so that it shows who has the same. */
    private static Map<Set<String>, String> letters(List<ReplicaState> holdings) {
        Map<Set<String>, String> letters = new LinkedHashMap<>();
        for (ReplicaState each : holdings) {
            if (each.answered() && !each.places().isEmpty()) {
                letters.putIfAbsent(each.places(), "(" + (char) ('A' + letters.size() % LETTERS) + ")");
            }
        }
        return letters;
    }

    private boolean isHere(String address) {
        return rows("servers").stream()
                .anyMatch(each -> AdminOptions.text(each, "address").equals(address) && Boolean.TRUE.equals(each.get("here")));
    }

    private static String verdict(List<ReplicaState> holdings) {
        StringBuilder text = new StringBuilder();
        letters(holdings).forEach((places, letter) -> text.append(letter).append(' ').append(some(places)).append('\n'));
        text.append(text.isEmpty() ? "" : "\n");
        List<ReplicaState> answered = holdings.stream().filter(ReplicaState::answered).toList();
        if (answered.stream().map(ReplicaState::places).distinct().count() > 1) {
            text.append("They differ: catching up will bring them into line.");
        } else if (answered.stream().allMatch(each -> each.places().isEmpty())) {
            text.append(answered.isEmpty() ? "None of them answered." : "None of them has it.");
        } else {
            text.append("All that answered have the same.");
        }
        boolean silent = !answered.isEmpty() && answered.size() < holdings.size();
        return text.append(silent ? " Not all answered.\n" : "\n").toString();
    }

    private static String some(Set<String> places) {
        String shown = places.stream().limit(SHOWN_MAX).collect(Collectors.joining(" "));
        return places.size() <= SHOWN_MAX ? shown : shown + " and " + (places.size() - SHOWN_MAX) + " more";
    }

    Map<String, Object> json(List<ReplicaState> holdings) {
        List<Object> held = new ArrayList<>();
        for (ReplicaState each : holdings) {
            GnrsResponse answer = each.answer();
            Set<String> places = each.places();
            held.add(JsonWriter.object(
                    "server", AddressText.of(each.server()),
                    "answered", each.answered(),
                    "says", each.text(),
                    "places", places,
                    "roundTripMicros", answer == null ? 0 : answer.roundTripNanos() / 1000));
        }
        Map<String, Object> json = new LinkedHashMap<>(where);
        json.put("held", held);
        return json;
    }
}
