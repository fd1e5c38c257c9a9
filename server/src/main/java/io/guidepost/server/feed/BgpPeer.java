package io.guidepost.server.feed;

import io.guidepost.base.Address;
import io.guidepost.base.AddressText;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.packet.linux.TcpMd5Signature;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.bgp.RouteExit;
import io.guidepost.proximity.bgp.RouteExitRule;
import io.guidepost.proximity.policy.ImportPolicy;
import io.guidepost.proximity.policy.PrefixList;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A router that tells routes over BGP, as the configuration names it.
 *
 * @param address of its session
 * @param as its AS number; 0 = any
 * @param rule where its routes leave
 * @param connectPort the port that we connect to; 0 = it connects to us
 * @param allowOwnAs how often our own AS may stand in a path that is taken
 * @param importList file of the prefixes that it may announce, see {@link PrefixList}; empty = all
 * @param prefixesMax prefixes that it may announce; 0 = no bound
 * @param passwordFile where the password stands by which segments of TCP are signed (RFC 2385); empty = they are not
 */
public record BgpPeer(
        InetAddress address,
        long as,
        RouteExitRule rule,
        int connectPort,
        int allowOwnAs,
        Optional<Path> importList,
        int prefixesMax,
        Optional<Path> passwordFile) {
    private static final String EXPECTED = "write ADDRESS [as=NUMBER] [router=ADDRESS or router=next-hop] [nic=NUMBER] "
            + "[connect=PORT] [allow-own-as=TIMES] [import-list=FILE] [max-prefixes=NUMBER] [password-file=FILE], "
            + "such as \"10.0.0.1 as=65001 router=10.1.0.1\"";
    private static final int PORT_MAX = 65_535;

    /** As many as routers of others allow. */
    private static final int OWN_AS_MAX = 10;

    /**
     * Reads a peer of the configuration.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static BgpPeer parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        InetAddress address = literal(words[0]);
        long as = 0;
        int nic = 0;
        int port = 0;
        int allowOwnAs = 0;
        Optional<Path> importList = Optional.empty();
        int prefixesMax = 0;
        Optional<Path> passwordFile = Optional.empty();
        String router = words[0];
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String value = words[i].substring(equals + 1);
            switch (words[i].substring(0, Math.max(0, equals))) {
                case "as" -> as = as(value);
                case "router" -> router = value;
                case "nic" -> nic = number(value, Short.MAX_VALUE);
                case "connect" -> port = number(value, PORT_MAX);
                case "allow-own-as" -> allowOwnAs = number(value, OWN_AS_MAX);
                case "import-list" -> importList = Optional.of(Path.of(value));
                case "max-prefixes" -> prefixesMax = number(value, Integer.MAX_VALUE);
                case "password-file" -> passwordFile = Optional.of(Path.of(value));
                default -> throw new IllegalArgumentException("'" + words[i] + "' in '" + text + "' is not known: " + EXPECTED);
            }
        }
        RouteExitRule rule = router.equals("next-hop")
                ? new RouteExitRule.NextHop(nic)
                : new RouteExitRule.Fixed(new RouteExit(router(router), nic));
        return new BgpPeer(address, as, rule, port, allowOwnAs, importList, prefixesMax, passwordFile);
    }

    static Address router(String text) {
        try {
            return Address.parse(text);
        } catch (Malformed e) {
            throw new IllegalArgumentException(e.reason(), e);
        }
    }

    /**
     * The password that is in the file: its first line, in UTF-8.
     *
     * @throws IOException in one line, if there is none
     */
    private static byte[] password(Path file) throws IOException {
        String key = "password-file " + file;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            String first = lines.readLine();
            if (first == null || first.isEmpty()) {
                throw new IOException(key + " has no password in its first line");
            }
            return first.getBytes(StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException(key + " is not there", e);
        }
    }

    /**
     * Has the kernel sign and check what goes between a socket and this peer, if there is a password.
     *
     * @param bound address and port of the socket, that connects or listens later
     */
    void sign(InetSocketAddress bound) throws IOException {
        if (passwordFile.isPresent()) {
            try {
                TcpMd5Signature.require(bound, address, password(passwordFile.get()));
            } catch (IOException e) {
                throw new IOException("proximity.bgp-peers: " + e.getMessage(), e);
            }
        }
    }

    /**
     * Reads what is imported of its routes.
     *
     * @throws IOException with each wrong line of its list
     */
    ImportPolicy policy() throws IOException {
        try {
            return new ImportPolicy(
                    importList.isEmpty() ? Optional.empty() : Optional.of(PrefixList.read(importList.get())), prefixesMax);
        } catch (FaultyFile e) {
            throw new IOException("proximity.bgp-peers: " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new IOException("proximity.bgp-peers: import-list " + importList.get() + " is not there", e);
        }
    }

    /** Reads its files, and keeps nothing of them. */
    void check() throws IOException {
        policy();
        if (passwordFile.isPresent()) {
            password(passwordFile.get());
        }
    }

    String label() {
        return "bgp " + AddressText.of(address);
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not a numeric address: " + EXPECTED, e);
        }
    }

    private static long as(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long as = AsNotation.PLAIN.parse(bytes, 0, bytes.length);
        if (as < 1) {
            throw new IllegalArgumentException("'" + text + "' is not the number of an AS: write a number from 1 to 4294967295");
        }
        return as;
    }

    private static int number(String text, int max) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + max + ": " + EXPECTED);
    }
}
