package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.guidepost.base.Malformed;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.authentication.SessionCipher;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PrivateKeyRecord;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.RandomValues;
import io.guidepost.handle.value.SiteRecord;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Mutated messages and records against every parser: a value or a fault inside of the input, never another exception;
 * what was read and written is the same again; nothing allocates more than a small multiple of its input; the reader in
 * place and the reader of objects say the same.
 */
class HandleMessageFuzzTest {
    private static final int[] TELLING = {0, 1, 2, 4, 16, 20, 24, 44, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, -1};

    /** Bytes that a parser may allocate for each byte of its input: an empty reference of 8 bytes becomes three objects. */
    private static final int ALLOCATED_TIMES_MAX = 40;

    /** And for any input: readers, decoders, an exception with its text. */
    private static final int ALLOCATED_ANYWAY = 40_000;

    /** Stands for a message where the number of a parser of records is meant. */
    private static final int MESSAGE = -1;

    static final int RECORD_KINDS = 11;

    private static final SessionKey KEY = new SessionKey(HandleVectors.bytes(HandleVectors.SESSION_KEY), SessionCipher.AES);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ResolveRequestFlyweight flyweight = new ResolveRequestFlyweight();
    private int messagesRead;
    private int messagesRefused;
    private int recordsRead;
    private int recordsRefused;
    private int resolves;

    @Test
    void mutatedBytesDoNoHarm() {
        run(200_000, 42);
        assertThat(List.of(messagesRead, messagesRefused, recordsRead, recordsRefused, resolves))
                .as("read and refused, messages and records, and questions read in place")
                .allMatch(count -> count > 1_000);
    }

    @Test
    @Tag("long")
    void tenMillionMutatedBytesDoNoHarm() {
        long start = System.nanoTime();
        run(10_000_000, Long.getLong("fuzz.seed", 4242));
        System.out.printf(
                "fuzz: 10,000,000 inputs in %.1f s: %,d messages read, %,d refused; %,d records read, %,d refused; "
                        + "%,d read in place%n",
                (System.nanoTime() - start) / 1e9,
                messagesRead,
                messagesRefused,
                recordsRead,
                recordsRefused,
                resolves);
    }

    private void run(int inputs, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> messages = messages(random);
        for (int i = 0; i < 100; i++) {
            // Half of what a door meets are questions.
            messages.add(HandleVectors.bytes(i % 2 == 0 ? HandleVectors.RESOLVE : HandleVectors.RESOLVE_SOME));
        }
        List<byte[]> records = records(random);
        for (int i = 0; i < inputs; i++) {
            boolean message = random.nextInt(4) != 0;
            byte[] bytes = mutated(random, message ? messages : records);
            int kind = message ? MESSAGE : random.nextInt(RECORD_KINDS);
            String where = "input " + i + " of seed " + seed + " (" + kind + "): ";
            long allowed = ALLOCATED_ANYWAY + (long) ALLOCATED_TIMES_MAX * bytes.length;
            long allocated = allocated(kind, bytes, where);
            if (allocated > allowed) {
                // What is allocated once, for classes and lambdas, is not allocated again.
                allocated = allocated(kind, bytes, where);
            }
            if (allocated > allowed) {
                throw new AssertionError(where + "allocates " + allocated + " bytes: " + hex(bytes));
            }
        }
    }

    private long allocated(int kind, byte[] bytes, String where) {
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            if (kind == MESSAGE) {
                tryMessage(bytes);
            } else {
                tryRecord(kind, bytes);
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError(where + hex(bytes), e);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static List<byte[]> messages(SplittableRandom random) {
        List<byte[]> messages = new ArrayList<>();
        HandleVectors.all().values().forEach(hex -> messages.add(HandleVectors.bytes(hex)));
        for (int i = 0; i < 300; i++) {
            messages.add(RandomHandleMessages.any(random).write());
        }
        return messages;
    }

    static List<byte[]> records(SplittableRandom random) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            records.add(RandomValues.value(random).write());
            records.add(RandomValues.site(random).write());
            records.add(new IdentityList(RandomValues.list(random, 4, RandomValues::reference)).write());
            records.add(new AdminRecord(random.nextInt(0x10000), RandomValues.reference(random)).write());
            records.add(HexFormat.of().parseHex("0000000b5253415f5055425f4b455900000000000301000100000003010203" + "00000000"));
            records.add(HexFormat.of().parseHex("0000000a44485f5055425f4b45590000" + "000000010200000001030000000104"));
            records.add(HexFormat.of().parseHex("000000010000000c5253415f505249565f4b4559000000020102000000020304"));
            records.add(HexFormat.of().parseHex("000000030000000a44485f5055425f4b45590000" + "000000010200000001030000000104"));
            records.add(new PublicKeyProof("SHA-256", RandomValues.bytes(random, 30)).write());
            SecretKeyProof.Kind kind = List.of(SecretKeyProof.Kind.values()).get(i % 5);
            records.add(SecretKeyProof.prove(kind, new byte[] {1}, new byte[16], new byte[32], random).write());
            records.add(HexFormat.of().parseHex("2200000002010200000010000000a000000014" + "55".repeat(20)));
            records.add(HandleVectors.bytes(HandleVectors.E_RESOLVE));
            records.add(HexFormat.of().parseHex("0000000c4453415f505249565f4b45590000000101000000010200000001030000000104"));
        }
        return records;
    }

    void tryMessage(byte[] bytes) {
        Optional<HandleMessage> read;
        try {
            read = Optional.of(HandleMessage.read(bytes));
            messagesRead++;
        } catch (Malformed e) {
            inside(e, bytes);
            read = Optional.empty();
            messagesRefused++;
        }
        comparePlace(read, bytes);
        if (read.isPresent()) {
            HandleMessage message = read.get();
            byte[] written = message.write();
            HandleMessage again = check(() -> HandleMessage.read(written));
            if (!isSame(again.with(message.envelope()), message)) {
                throw new AssertionError("written and read again it is another message");
            }
        }
    }

    private void comparePlace(Optional<HandleMessage> read, byte[] bytes) {
        boolean plain = read.isPresent()
                && read.get().body() instanceof MessageBody.Resolve
                && read.get().header().isRequest()
                && read.get().credential().isEmpty();
        ResolveRequestFlyweight.Verdict verdict = flyweight.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
        if (plain && verdict != ResolveRequestFlyweight.Verdict.RESOLVE) {
            throw new AssertionError("a question is not read in place");
        }
        if (verdict == ResolveRequestFlyweight.Verdict.RESOLVE) {
            resolves++;
            // Types that are no UTF-8 pass here: they match no type that a record has.
            if (!plain && flyweight.typeCount() == 0) {
                throw new AssertionError("what is read in place is no question");
            }
            if (plain) {
                MessageBody.Resolve resolve = (MessageBody.Resolve) read.orElseThrow().body();
                byte[] handle = Arrays.copyOfRange(
                        bytes, (int) flyweight.handle(), (int) flyweight.handle() + flyweight.handleLength());
                boolean same = Arrays.equals(handle, resolve.handle().bytes())
                        && flyweight.indexCount() == resolve.indexes().size()
                        && flyweight.typeCount() == resolve.types().size();
                for (int i = 0; same && i < flyweight.indexCount(); i++) {
                    same = flyweight.index(i) == resolve.indexes().get(i);
                }
                if (!same) {
                    throw new AssertionError("the two readers see different questions");
                }
            }
        }
    }

    /** A parser. */
    private interface Parser {
        Object parse() throws Malformed, PrivateKeyFile.WrongPassphrase;
    }

    private static <T> T check(CheckedRead<T> read) {
        try {
            return read.read();
        } catch (Malformed e) {
            throw new AssertionError("what was read and written is refused", e);
        }
    }

    /** A read that should not fail. */
    private interface CheckedRead<T> {
        T read() throws Malformed;
    }

    void tryRecord(int kind, byte[] bytes) {
        Parser parser = switch (kind) {
            case 0 -> () -> same(HandleValue.read(bytes), each -> HandleValue.read(each.write()));
            case 1 -> () -> same(SiteRecord.read(bytes), each -> SiteRecord.read(each.write()));
            case 2 -> () -> same(IdentityList.read(bytes), each -> IdentityList.read(each.write()));
            case 3 -> () -> same(AdminRecord.read(bytes), each -> AdminRecord.read(each.write()));
            case 4 -> () -> same(PublicKeyRecord.read(bytes), each -> PublicKeyRecord.read(each.write()));
            case 5 -> () -> same(PrivateKeyRecord.read(bytes), each -> PrivateKeyRecord.read(each.write()));
            case 6 -> () -> same(PublicKeyProof.read(bytes), each -> PublicKeyProof.read(each.write()));
            case 7 -> () -> same(SecretKeyProof.read(bytes), each -> SecretKeyProof.read(each.write()));
            case 8 -> () -> same(DiffieHellman.Reply.read(bytes), each -> DiffieHellman.Reply.read(each.write()));
            case 9 -> () -> KEY.decrypt(bytes);
            default -> () -> PrivateKeyFile.read(bytes, null, true);
        };
        try {
            parser.parse();
            recordsRead++;
        } catch (Malformed e) {
            inside(e, bytes);
            recordsRefused++;
        } catch (PrivateKeyFile.WrongPassphrase e) {
            recordsRefused++;
        }
    }

    private static boolean isSame(HandleMessage one, HandleMessage other) {
        return one.envelope().equals(other.envelope())
                && one.header().equals(other.header())
                && one.requestDigest().equals(other.requestDigest())
                && isSame(one.body(), other.body())
                && one.credential().isPresent() == other.credential().isPresent()
                && (one.credential().isEmpty() || isSame(one.credential().get(), other.credential().orElseThrow()));
    }

    /** Records with bytes in them are the same if they are of one class and write the same. */
    private static boolean isSame(Object one, Object other) {
        return one.equals(other)
                || one.getClass() == other.getClass()
                        && one instanceof WireRecord record
                        && Arrays.equals(record.write(), ((WireRecord) other).write());
    }

    /** A read of what was written. */
    private interface Again<T> {
        T read(T value) throws Malformed;
    }

    private static <T> T same(T value, Again<T> again) throws Malformed {
        if (!isSame(check(() -> again.read(value)), value)) {
            throw new AssertionError("written and read again it is another record");
        }
        return value;
    }

    private static void inside(Malformed fault, byte[] bytes) {
        if (fault.offset() < 0 || fault.offset() > bytes.length) {
            throw new AssertionError("a fault outside of the input", fault);
        }
    }

    private static byte[] mutated(SplittableRandom random, List<byte[]> seeds) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes = mutated(random, bytes);
        }
        return bytes;
    }

    private static byte[] mutated(SplittableRandom random, byte[] bytes) {
        int at = random.nextInt(random.nextBoolean() ? Math.min(64, bytes.length) : bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> set32(bytes, at, TELLING[random.nextInt(TELLING.length)]);
            case 3 -> {
                return fixed(random, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
            }
            case 4 -> {
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(40));
                for (int i = bytes.length; i < longer.length; i++) {
                    longer[i] = (byte) random.nextInt(random.nextBoolean() ? 4 : 256);
                }
                return fixed(random, longer);
            }
            default -> {
                int from = random.nextInt(bytes.length);
                int length = Math.min(random.nextInt(24), bytes.length - Math.max(at, from));
                System.arraycopy(bytes, from, bytes, at, length);
            }
        }
        return bytes;
    }

    /** Makes the length in the envelope right again, half of the time, so that what is behind it is read too. */
    private static byte[] fixed(SplittableRandom random, byte[] bytes) {
        if (random.nextBoolean() && bytes.length >= HandleWire.ENVELOPE_BYTES) {
            set32(bytes, HandleWire.LENGTH, bytes.length - HandleWire.ENVELOPE_BYTES);
        }
        return bytes;
    }

    private static void set32(byte[] bytes, int at, int value) {
        if (at + 4 <= bytes.length) {
            MemorySegment.ofArray(bytes).set(HandleWire.INT, at, value);
        }
    }
}
