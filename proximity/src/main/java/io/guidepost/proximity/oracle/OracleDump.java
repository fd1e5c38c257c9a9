package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.DurableFiles;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Writes a network back as configuration files; reading them gives an equal network.
 *
 * <p>A dump is atomic: the router files go into a new folder, and the main file, which names that folder, is renamed
 * into place last. A concurrent reader, or one after a power loss, sees the last dump or this one; router files of older
 * dumps are removed.
 */
public final class OracleDump {
    /** Name of the main file of a dump. */
    public static final String MAIN_FILE = "oracle.conf";

    private static final String ROUTERS = "routers-";

    private final OperatorNetwork network;
    private final OracleSettings settings;
    private final Findings findings;
    private final Path folder;
    private final Map<Address, Integer> cards = new HashMap<>();
    private long lost;

    private OracleDump(OperatorNetwork network, OracleSettings settings, Path folder, Findings findings) {
        this.network = network;
        this.settings = settings;
        this.folder = folder;
        this.findings = findings;
    }

    /**
     * Writes a network and its settings into a folder, which is created if needed.
     *
     * @return warnings about what the files cannot express: prefixes at missing routers
     * @throws IOException if that fails; the earlier dump is then still there
     */
    public static List<String> write(OperatorNetwork network, OracleSettings settings, Path folder) throws IOException {
        Findings findings = new Findings();
        new OracleDump(network, settings, folder, findings).write();
        return findings.warnings();
    }

    private void write() throws IOException {
        try {
            DurableFiles.createFolders(folder);
        } catch (FileAlreadyExistsException e) {
            throw new NotDirectoryException(folder.toString());
        }
        countCards();
        Path routers = newFolder();
        Path main = folder.resolve(MAIN_FILE + "." + routers.getFileName());
        boolean done = false;
        try {
            for (TopologyRouter each : network.topology().routers().values()) {
                writeRouter(each, routers);
            }
            DurableFiles.syncFolder(routers);
            writeMain(main, routers);
            DurableFiles.replace(main, folder.resolve(MAIN_FILE));
            done = true;
        } finally {
            if (!done) {
                Files.deleteIfExists(main);
                remove(routers);
            }
        }
        removeFormer(routers);
    }

    private Path newFolder() throws IOException {
        int number = 1;
        while (Files.exists(folder.resolve(ROUTERS + number))) {
            number++;
        }
        return Files.createDirectory(folder.resolve(ROUTERS + number));
    }

    /** Networks may be attached to cards beyond the declared number: the file must declare them. */
    private void countCards() {
        network.topology().routers().forEach((id, router) -> cards.put(id, router.nicCount()));
        network.topology().routers().values().forEach(each -> each.nics().forEach(nic -> need(each.id(), nic.index())));
        network.forEach((_, attachments) -> attachments.forEach(each -> need(each.router(), each.nic())));
    }

    private void need(Address router, int nic) {
        cards.computeIfPresent(router, (_, count) -> Math.max(count, nic + 1));
    }

    private void writeMain(Path file, Path routers) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("configdir " + routers.getFileName() + "\n");
            out.write("routers " + settings.routersMax() + "\n");
            out.write("threads " + settings.threads() + "\n");
            out.write("port " + settings.port() + "\n");
            out.write("iroutes " + (network.topology().routing() == RoutingMode.EXPLICIT ? "expl" : "impl") + "\n");
            for (Address id : network.topology().routers().keySet()) {
                out.write("router " + id + " " + cards.get(id) + "\n");
            }
            network.forEach((prefix, attachments) -> attachments.forEach(each -> writeNetwork(out, prefix, each)));
            if (lost > 0) {
                findings.warn(
                        folder.resolve(MAIN_FILE).toString(),
                        0,
                        lost + " attachments of prefixes were left out: they are at missing routers, or at "
                                + "cards that cannot be");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void writeNetwork(BufferedWriter out, Prefix prefix, PrefixAttachment at) {
        if (!cards.containsKey(at.router()) || at.nic() < 0 || at.nic() >= OracleLimits.NICS_MAX) {
            lost++;
            return;
        }
        String place = prefix + " " + at.router() + " " + at.nic();
        try {
            out.write(at.internal()
                    ? "snetwork " + place + "\n"
                    : "enetwork " + place + " " + at.asNumber() + " " + at.asDistance() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeRouter(TopologyRouter router, Path folder) throws IOException {
        if (!router.enabled() && router.nics().isEmpty() && router.routes().isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        if (!router.enabled()) {
            text.append("status DOWN\n");
        }
        for (Nic each : router.nics()) {
            text.append("nic ").append(each.index());
            text.append(' ').append(each.own() == null ? "-" : each.own());
            text.append(' ').append(each.peer() == null ? "-" : each.peer());
            text.append(each.up() ? " UP\n" : " DOWN\n");
        }
        for (Nic each : router.nics()) {
            TopologyLink link = each.link();
            if (link != null) {
                text.append("link ").append(each.index()).append(' ').append(columns(link)).append('\n');
            }
        }
        for (ExplicitRoute each : router.routes()) {
            text.append("route ").append(each.nic()).append(' ').append(each.destination()).append('\n');
        }
        Path file = folder.resolve(router.id() + ".conf");
        Files.writeString(file, text);
        DurableFiles.sync(file);
    }

    static String columns(TopologyLink link) {
        return OracleDecimals.text(link.latency()) + " " + OracleDecimals.text(link.bandwidth()) + " "
                + OracleDecimals.text(link.congestion()) + " " + OracleDecimals.text(link.weight());
    }

    /** Removes unreferenced router files except the last ones, which a reader may be reading now. */
    private void removeFormer(Path current) throws IOException {
        List<Path> former = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, ROUTERS + "*")) {
            for (Path each : all) {
                if (!each.equals(current) && Files.isDirectory(each)) {
                    former.add(each);
                }
            }
        }
        former.sort(Comparator.comparingLong(each -> each.toFile().lastModified()));
        for (int i = 0; i + 1 < former.size(); i++) {
            remove(former.get(i));
        }
    }

    /** Removes a folder of router files, but no other files in it. */
    private static void remove(Path routers) throws IOException {
        try (Stream<Path> files = Files.list(routers)) {
            for (Path each : files.filter(file -> file.toString().endsWith(".conf")).toList()) {
                Files.delete(each);
            }
        }
        try (Stream<Path> left = Files.list(routers)) {
            if (left.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(routers);
    }
}
