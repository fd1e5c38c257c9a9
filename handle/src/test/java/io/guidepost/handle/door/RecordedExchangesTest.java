package io.guidepost.handle.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * Asks our door and service what a server of another make was asked, and holds every field of every answer against what it
 * answered. What may differ always: the expiry, which is the clock's; the number and the nonce of a challenge, which are
 * random; signatures, as the servers' keys differ; the times of values, which are the clock's; texts of errors, which are
 * for people, except that of a prefix that is elsewhere, which tools look for. What else differs is a row below, with its
 * reason.
 */
class RecordedExchangesTest {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    /** When the records were changed that were there before. */
    private static final long LOADED_SECONDS = 1_700_000_000;

    private static final Path RECORDED = Path.of("src/test/resources/exchanges/version-9.2.txt");

    /** Differences that are wanted: why, by name of the exchange. */
    private static final Map<String, String> ACCEPTED = new TreeMap<>();

    private static void accept(String reason, String... names) {
        for (String each : names) {
            ACCEPTED.put(each, reason);
        }
    }

    static {
        accept(
                "values come in the order of their indexes; clients rely on no other",
                "resolve 0.NA/1234",
                "resolve 1234",
                "resolve 0.na/1234",
                "resolve 1234/unsorted",
                "resolve 1234/ADMIN",
                "indexes of 1234/unsorted 9,3");
        accept(
                "what is cut off is refused; the other server reads zeros in the place of what is not there",
                "cut to 24 bytes",
                "cut to 28 bytes",
                "cut to 43 bytes",
                "cut to 44 bytes",
                "cut to 47 bytes",
                "cut to 48 bytes",
                "cut to 50 bytes",
                "cut to 60 bytes",
                "cut to 65 bytes",
                "cut to 44 bytes, length right",
                "cut to 47 bytes, length right",
                "cut to 48 bytes, length right",
                "cut to 50 bytes, length right",
                "cut to 54 bytes, length right",
                "cut to 58 bytes, length right",
                "cut to 60 bytes, length right",
                "length too long by 1",
                "handle length too long",
                "index count lies",
                "type count lies",
                "body length too long");
        accept(
                "over UDP an error is no longer than its request: the source can be forged",
                "cut to 1 bytes",
                "cut to 10 bytes",
                "cut to 19 bytes",
                "cut to 20 bytes",
                "cut to 21 bytes",
                "cut to 20 bytes, length right",
                "cut to 24 bytes, length right",
                "cut to 28 bytes, length right",
                "cut to 43 bytes, length right");
        accept(
                "what contradicts itself is refused; the other server looks at one of the lengths alone",
                "length too short by 1",
                "length 0",
                "body length too short",
                "body length 0",
                "bytes behind the message",
                "credential of zeros");
        accept("texts are UTF-8", "type that is no UTF-8", "create with a type that is no UTF-8");
        accept("no version above our own is spoken, though the other server does", "version suggested 2.255");
        accept("where there is a digest its flag is set, also in 2.0", "digest at 2.0");
        accept(
                "answers are not answered: two servers could go on for ever", "response code 1", "response code 100");
        accept("nobody compresses, so what says it is cannot be read", "mark compressed");
        accept("it is said that the session is unknown, and which request that answers", "mark encrypted");
        accept("a message that is whole is answered, whatever its marks say", "mark split, one packet");
        accept(
                "the refusal says which request it answers",
                "create over UDP",
                "delete over UDP",
                "list over UDP",
                "home over UDP");
        accept(
                "what everybody can find out by a question is said before it is asked who asks",
                "create without values",
                "add to none",
                "remove from none",
                "remove nothing",
                "delete elsewhere");
        accept("who may not know whether a value is frozen is asked who they are", "modify what nobody may write");
        accept("who may not know which private values there are is asked who they are", "modify what is not");
        accept("a change of nothing is a mistake", "modify nothing");
        accept("what is no prefix handle is said to be none", "list no prefix");
        accept("the code of an unknown challenge, not of an unknown session", "answer to no challenge");
        accept("handles are listed as their creators spelled them", "list, proven");
        accept("a prefix that was not at home is not given up in silence", "unhome again, proven");
    }

    private final List<String> differences = new ArrayList<>();
    private final Set<String> used = new HashSet<>();
    private int asked;

    @Test
    void everyAnswerIsTheSame() throws Exception {
        List<String> lines = Files.readAllLines(RECORDED);
        byte[] site = bytes(lines.stream().filter(each -> each.startsWith("site ")).findFirst().orElseThrow(), 5);
        List<ValueReference> admins =
                List.of(HandleDoorStand.identity("300:1234/ADMIN"), HandleDoorStand.identity("301:1234/ADMIN"));
        try (HandleDoorStand stand = new HandleDoorStand(
                SiteRecord.read(site),
                HandleDoorSettings.usual(),
                settings -> settings.withServerAdmins(admins)
                        .withServerAdminFullAccess(true)
                        .withPrefixAdmins(false))) {
            stand.homes.home(Handle.of("0.NA/1234"));
            stand.homes.home(Handle.of("0.NA/0.NA"));
            load(stand, lines);
            replay(stand, lines);
        }
        Set<String> unused = new HashSet<>(ACCEPTED.keySet());
        unused.removeAll(used);
        assertThat(String.join("\n", differences)).isEmpty();
        assertThat(unused).as("accepted differences that are none").isEmpty();
        assertThat(asked).isGreaterThan(370);
    }

    private static void load(HandleDoorStand stand, List<String> lines) throws IOException, Malformed {
        List<HandleValue> values = new ArrayList<>();
        for (String line : lines.reversed()) {
            if (line.startsWith("value ")) {
                values.add(HandleValue.read(bytes(line, 6)));
            } else if (line.startsWith("record ")) {
                stand.put(Handle.of(line.substring(7)), values);
                values.clear();
            }
        }
    }

    private void replay(HandleDoorStand stand, List<String> lines) throws GeneralSecurityException {
        String name = "";
        boolean udp = false;
        List<byte[]> packets = new ArrayList<>();
        byte[] ours = {};
        for (String line : lines) {
            if (line.startsWith("ask ")) {
                name = line.substring(8);
                udp = line.startsWith("ask udp");
                packets.clear();
            } else if (line.startsWith("> ")) {
                packets.add(bytes(line, 2));
            } else if (line.startsWith("answer ")) {
                packets.clear();
                boolean challenged = ours.length >= 48 && MemorySegment.ofArray(ours).get(INT, 24) == 402;
                packets.add(challenged ? answer(ours, line.split(" ", -1)) : new byte[0]);
                name = name + ", proven";
            } else if (line.startsWith("< ")) {
                asked++;
                ours = ask(stand, udp, packets);
                byte[] theirs = line.equals("< none") ? new byte[0] : bytes(line, 2);
                compare(stand, name, packets.getFirst(), theirs, ours);
            }
        }
    }

    private static byte[] ask(HandleDoorStand stand, boolean udp, List<byte[]> packets) {
        return udp
                ? HandleDoorStand.joined(stand.ask(packets.toArray(new byte[0][])))
                : stand.askOverTcp(packets.getFirst());
    }

    /** The answer to a challenge, as a client makes it. */
    private static byte[] answer(byte[] challenge, String[] words) throws GeneralSecurityException {
        MemorySegment in = MemorySegment.ofArray(challenge);
        byte[] nonceAndDigest = new byte[48];
        System.arraycopy(challenge, 81, nonceAndDigest, 0, 16);
        System.arraycopy(challenge, 45, nonceAndDigest, 16, 32);
        byte[] secret = words[3].getBytes(StandardCharsets.UTF_8);
        int kind = Integer.parseInt(words[1]);
        byte[] proof = switch (kind) {
            case 0x12 -> mac("HmacSHA1", secret, nonceAndDigest);
            case 0x13 -> mac("HmacSHA256", secret, nonceAndDigest);
            default -> {
                MessageDigest digest = MessageDigest.getInstance(kind == 2 ? "SHA-1" : "SHA-256");
                digest.update(secret);
                digest.update(nonceAndDigest);
                yield digest.digest(secret);
            }
        };
        WireWriter body = new WireWriter();
        body.text("HS_SECKEY");
        HandleDoorStand.identity(words[2]).write(body);
        body.u32(proof.length + 1).u8(kind).raw(proof);
        WireWriter out = new WireWriter();
        out.u32(0x020b020b).u32(in.get(INT, 4)).u32(Integer.parseInt(words[4])).u32(0).u32(28 + body.length());
        out.u32(200).u32(0).u32(Integer.parseUnsignedInt(words[5], 16)).u32(0xffff0000).u32(0x7fffffff);
        return out.bytes(body.toBytes()).u32(0).toBytes();
    }

    private static byte[] mac(String name, byte[] secret, byte[] data) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(name);
        mac.init(new SecretKeySpec(secret, name));
        return mac.doFinal(data);
    }

    private void compare(HandleDoorStand stand, String name, byte[] asked, byte[] theirs, byte[] ours) {
        boolean both = theirs.length >= 48 && ours.length >= 48;
        List<String> found = List.of();
        if (both) {
            found = fields(stand, theirs, ours);
        } else if (theirs.length != ours.length) {
            found = List.of("an answer of " + ours.length + " bytes, not " + theirs.length);
        }
        if (found.isEmpty()) {
            return;
        }
        if (ACCEPTED.containsKey(name)) {
            used.add(name);
            return;
        }
        differences.add(name + ": " + String.join("; ", found) + "\n   asked  " + hex(asked) + "\n   theirs " + hex(theirs)
                + "\n   ours   " + hex(ours));
    }

    private static List<String> fields(HandleDoorStand stand, byte[] theirs, byte[] ours) {
        List<String> found = new ArrayList<>();
        MemorySegment their = MemorySegment.ofArray(theirs);
        MemorySegment our = MemorySegment.ofArray(ours);
        int code = their.get(INT, 24);
        boolean challenge = code == ResponseCode.CHALLENGE.number();
        field(found, "versions and marks", their.get(INT, 0), our.get(INT, 0));
        if (!challenge) {
            field(found, "session", their.get(INT, 4), our.get(INT, 4));
        }
        field(found, "request", their.get(INT, 8), our.get(INT, 8));
        field(found, "packet", their.get(INT, 12), our.get(INT, 12));
        field(found, "operation", their.get(INT, 20), our.get(INT, 20));
        field(found, "code", code, our.get(INT, 24));
        field(found, "flags", their.get(INT, 28), our.get(INT, 28));
        field(found, "serial and recursion", their.get(INT, 32), our.get(INT, 32));
        field(found, "expiry", (int) (stand.now / 1000 + 43_200), our.get(INT, 36));
        byte[] theirBody = body(theirs);
        byte[] ourBody = body(ours);
        if (code != our.get(INT, 24)) {
            return found;
        }
        boolean text = code != ResponseCode.SUCCESS.number()
                && code != ResponseCode.NOT_RESPONSIBLE.number()
                && code != ResponseCode.PREFIX_REFERRAL.number();
        if (code == ResponseCode.SUCCESS.number() && their.get(INT, 20) == 1) {
            theirBody = withoutTimes(theirBody);
            ourBody = withoutTimes(ourBody);
        } else if (challenge) {
            theirBody = withoutNonce(theirBody);
            ourBody = withoutNonce(ourBody);
        } else if (text) {
            // Both are texts, or nothing, behind the same digest.
            int digest = (their.get(INT, 28) & 0x00800000) == 0 ? 0 : 33;
            theirBody = Arrays.copyOf(theirBody, Math.min(digest, theirBody.length));
            ourBody = Arrays.copyOf(ourBody, Math.min(digest, ourBody.length));
        }
        if (!Arrays.equals(theirBody, ourBody)) {
            found.add("body " + hex(ourBody) + ", not " + hex(theirBody));
        }
        return found;
    }

    /** A list of values, without the times of those that were made on the way. */
    private static byte[] withoutTimes(byte[] body) {
        try {
            WireReader in = new WireReader(body);
            WireWriter out = new WireWriter().handle(in.handle());
            List<HandleValue> values = HandleValue.readList(in);
            return out.list(values, (each, to) -> each.changedAt(Math.min(each.changedSeconds(), LOADED_SECONDS)).write(to))
                    .toBytes();
        } catch (Malformed e) {
            return body;
        }
    }

    private static void field(List<String> found, String name, int theirs, int ours) {
        if (theirs != ours) {
            found.add("%s %08x, not %08x".formatted(name, ours, theirs));
        }
    }

    private static byte[] body(byte[] message) {
        int length = MemorySegment.ofArray(message).get(INT, 40);
        return Arrays.copyOfRange(message, 44, Math.min(message.length, 44 + length));
    }

    /** A challenge without its last bytes, or in 2.0 the first behind their length. */
    private static byte[] withoutNonce(byte[] body) {
        return MemorySegment.ofArray(body).get(INT, 0) == 16
                ? Arrays.copyOfRange(body, 20, body.length)
                : Arrays.copyOf(body, body.length - 16);
    }

    private static byte[] bytes(String line, int from) {
        return HexFormat.of().parseHex(line.substring(from));
    }

    private static String hex(byte[] bytes) {
        String all = HexFormat.of().formatHex(bytes);
        return all.length() > 400 ? all.substring(0, 400) + "..." : all;
    }
}
