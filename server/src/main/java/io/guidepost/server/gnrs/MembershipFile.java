package io.guidepost.server.gnrs;

import io.guidepost.base.AddressText;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.server.config.AddressKinds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the membership file: which servers belong to the deployment, what people call them, and what they understand.
 *
 * <pre>
 * # name    address:port            kind
 * paris     192.0.2.1:5001
 * tokyo     [2001:db8::1]:5001      guidepost
 * old-lab   198.51.100.7:5001       v1
 * </pre>
 */
final class MembershipFile {
    private static final String FORM = "write name address:port, such as paris 192.0.2.1:5001";

    private final LineReader lines;
    private final Map<InetSocketAddress, PeerDescriptor> sites = new LinkedHashMap<>();
    private final Map<String, Long> named = new HashMap<>();
    private final Map<InetSocketAddress, Long> placed = new HashMap<>();

    private MembershipFile(LineReader lines) {
        this.lines = lines;
    }

    /**
     * Reads a file.
     *
     * @throws FaultyFile with each bad line as file:line
     * @throws IOException if the file cannot be read
     */
    static List<PeerDescriptor> read(Path file) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return new MembershipFile(lines).read();
        }
    }

    private List<PeerDescriptor> read() throws IOException, FaultyFile {
        while (lines.nextLine()) {
            PeerDescriptor site = site(lines.field());
            if (site != null && isNew(site)) {
                sites.put(site.address(), site);
            }
        }
        lines.check();
        return List.copyOf(sites.values());
    }

    private @Nullable PeerDescriptor site(String name) {
        if (!lines.nextField()) {
            lines.fault("no address after the name: " + FORM);
            return null;
        }
        InetSocketAddress address;
        try {
            address = AddressKinds.withPort(lines.field());
        } catch (Malformed e) {
            lines.fault(e.reason() + "; host names are not looked up");
            return null;
        }
        PeerDescriptor.Kind kind = lines.nextField() ? kind(lines.field()) : PeerDescriptor.Kind.GUIDEPOST;
        if (kind != null && lines.nextField()) {
            lines.fault("'" + lines.field() + "' is more than name, address and kind: " + FORM);
            return null;
        }
        return kind == null ? null : new PeerDescriptor(name, address, kind);
    }

    private PeerDescriptor.@Nullable Kind kind(String text) {
        for (PeerDescriptor.Kind each : PeerDescriptor.Kind.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        lines.fault("'" + text + "' is not a kind of server: write guidepost, or v1 for one of the first protocol");
        return null;
    }

    private boolean isNew(PeerDescriptor site) {
        Long name = named.putIfAbsent(site.name(), lines.line());
        Long address = placed.putIfAbsent(site.address(), lines.line());
        if (name != null) {
            lines.fault("the name '" + site.name() + "' is taken by line " + name + ": give each server its own");
        } else if (address != null) {
            lines.fault("the address " + AddressText.of(site.address()) + " is that of line " + address
                    + ": name each server once");
        }
        return name == null && address == null;
    }
}
