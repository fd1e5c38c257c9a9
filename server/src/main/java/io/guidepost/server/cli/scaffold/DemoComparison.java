package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The demonstration's downloads by what there is without SCAFFOLD: plain TCP, a virtual address of nftables, and the kernel's MPTCP.
 * One client for all, in the same network; it gives up when nothing has come for five seconds.
 */
final class DemoComparison {
    private static final int PORT = 8080;
    static final int MULTIPATH_PORT = 8084;
    private static final String SERVER = DemoNetwork.SERVERS.getFirst();
    private static final String SERVER_ADDRESS = "10.1.3.2";
    private static final String VIRTUAL_ADDRESS = "10.7.7.7";
    private static final String BY_NAME = "SCAFFOLD";

    private static final String VIP = """
            PATH=$PATH:/usr/sbin
            ip netns exec a nft -f - <<END
            add table ip vip
            add chain ip vip pre { type nat hook prerouting priority dstnat; }
            add rule ip vip pre ip daddr %s tcp dport %d dnat to %s
            END
            """.formatted(VIRTUAL_ADDRESS, PORT, SERVER_ADDRESS);

    private static final String MULTIPATH = """
            ip -n client mptcp limits set subflow 2 add_addr_accepted 2
            ip -n %s mptcp limits set subflow 2 add_addr_accepted 2
            ip -n client mptcp endpoint add 10.2.1.2 dev second subflow
            """.formatted(SERVER);

    private final DemoNetwork network;
    private final Function<List<String>, DemoDownload> downloads;

    /** What is done to a download, and undone behind it. */
    interface Deeds {
        /** Has something happen to the server on a host, or to the network. */
        void happen(String event, String server) throws IOException;

        void mend(String event, String server) throws Exception;

        /** Returns the host that serves the open connection by name. */
        String server() throws IOException;
    }

    /**
     * Creates it.
     *
     * @param downloads by a command
     */
    DemoComparison(DemoNetwork network, Function<List<String>, DemoDownload> downloads) {
        this.network = network;
        this.downloads = downloads;
    }

    /** Plays all, with progress told. */
    List<Map<String, Object>> play(Deeds deeds, PrintWriter progress) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        play(rows, BY_NAME, "http://web.svc.internal:" + PORT, "", deeds, progress);
        play(rows, "TCP", "http://" + SERVER_ADDRESS + ":" + PORT, "", deeds, progress);
        String vip = DemoNetwork.has("nft") ? done(VIP, "this kernel has no NAT of nftables") : "nft is not installed";
        play(rows, "nftables VIP", "http://" + VIRTUAL_ADDRESS + ":" + PORT, vip, deeds, progress);
        String multipath = done(MULTIPATH, "this kernel, or this ip, has no MPTCP");
        play(rows, "MPTCP", "http://" + SERVER_ADDRESS + ":" + MULTIPATH_PORT, multipath, deeds, progress);
        return rows;
    }

    private static String done(String script, String otherwise) {
        try {
            DemoNetwork.run(script);
            return "";
        } catch (IOException e) {
            return otherwise;
        }
    }

    private void play(List<Map<String, Object>> rows, String way, String at, String missing, Deeds deeds, PrintWriter progress)
            throws Exception {
        if (!missing.isEmpty()) {
            rows.add(JsonWriter.object("by", way, "event", "", "skipped", missing));
            return;
        }
        boolean multipath = way.equals("MPTCP");
        List<String> words = new ArrayList<>(List.of("scaffold", "demo", "--fetch", at + "/file"));
        if (multipath) {
            words.add("--multipath");
        }
        DemoDownload download = downloads.apply(ChildJvm.command(words));
        for (String event : List.of("cable", "kill")) {
            progress.println("guidepost: " + event + ", by " + way);
            Process server = multipath
                    ? network.guidepost(SERVER, "scaffold", "demo", "--multipath", "--serve", network.path("www/file").toString())
                    : null;
            if (server != null) {
                DemoHosts.await("the server of MPTCP does not listen", () -> DemoNetwork.listens(SERVER, MULTIPATH_PORT));
            }
            Map<String, Object> row = JsonWriter.object("by", way, "event", event);
            row.putAll(download.run(() -> {
                String host = way.equals(BY_NAME) ? deeds.server() : SERVER;
                if (server != null && event.equals("kill")) {
                    DemoNetwork.kill(server);
                } else {
                    deeds.happen(event, host);
                }
                return host;
            }));
            if (server != null) {
                DemoNetwork.kill(server);
            }
            if (server == null || event.equals("cable")) {
                deeds.mend(event, AdminOptions.text(row, "server"));
            }
            rows.add(row);
        }
    }

    /** Returns a table for people. */
    static String table(List<Map<String, Object>> rows) {
        TextTable table = new TextTable("by", "event", "gap at event", "what the client got");
        for (Map<String, Object> row : rows) {
            String skipped = AdminOptions.text(row, "skipped");
            boolean whole = GatewayRequest.is(row, "whole");
            table.row(
                    AdminOptions.text(row, "by"),
                    AdminOptions.text(row, "event"),
                    whole ? AdminOptions.text(row, "gap_at_event_millis") + " ms" : "-",
                    skipped.isEmpty() ? got(row, whole) : "skipped: " + skipped);
        }
        return table.toString();
    }

    private static String got(Map<String, Object> row, boolean whole) {
        if (whole) {
            return "all, SHA-256 equal";
        }
        String bytes = " after " + Long.parseLong(AdminOptions.text(row, "bytes")) / 1_000_000 + " MB";
        return switch (AdminOptions.text(row, "code")) {
            case "" + KernelFile.HANGS -> "hangs" + bytes;
            case "" + KernelFile.RESET -> "reset" + bytes;
            case "" + KernelFile.CUT -> "cut off" + bytes;
            case "0" -> "OTHER BYTES";
            default -> "no connection";
        };
    }
}
