package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.handle.Handle;
import io.guidepost.handle.Utf8;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Writes records as a batch file, see {@link BatchFileReader}. Data that is not a single line of text goes to a file of its
 * own, in a folder next to the batch file, named by its digest.
 *
 * <p>The format has no place for times of changes, references, and absolute TTLs; a record is written without them, and
 * counted if it had a reference or an absolute TTL.
 */
public final class BatchFileWriter implements ExportWriter {
    private static final int NAME_BYTES = 16;

    private final Path folder;
    private final BufferedWriter out;
    private long shortened;

    private BatchFileWriter(Path file, BufferedWriter out) {
        this.folder = file.toAbsolutePath().resolveSibling(file.getFileName() + ".files");
        this.out = out;
    }

    /**
     * Creates a file.
     *
     * @throws java.nio.file.FileAlreadyExistsException if it exists
     */
    public static BatchFileWriter create(Path file) throws IOException {
        return new BatchFileWriter(
                file,
                Files.newBufferedWriter(
                        file,
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE));
    }

    @Override
    public void home(Handle prefixHandle) throws IOException {
        out.write("HOME 127.0.0.1:2641:TCP\n" + prefixHandle + "\n\n");
    }

    @Override
    public Optional<String> write(HandleRecord record) throws IOException {
        if (!isName(record.handle())) {
            return Optional.of("its name is no line of text without blanks at its ends");
        }
        Optional<HandleValue> nameless = record.values().stream()
                .filter(each -> each.type().isEmpty() || each.type().chars().anyMatch(c -> c <= ' '))
                .findFirst();
        if (nameless.isPresent()) {
            return Optional.of("the type of value " + nameless.get().index() + " has blanks in it");
        }
        StringBuilder text = new StringBuilder("CREATE ").append(record.handle()).append('\n');
        boolean exact = true;
        for (HandleValue each : record.values()) {
            exact &= each.references().isEmpty() && each.ttl() instanceof Ttl.Relative;
            long ttl = each.ttl() instanceof Ttl.Relative relative ? relative.seconds() : Ttl.DAY;
            text.append(each.index()).append(' ').append(each.type()).append(' ').append(ttl).append(' ');
            text.append(each.permissions()).append(' ').append(data(each)).append('\n');
        }
        shortened += exact ? 0 : 1;
        out.write(text.append('\n').toString());
        return Optional.empty();
    }

    /** Returns the number of records written without a reference or an absolute TTL. */
    public long shortened() {
        return shortened;
    }

    private String data(HandleValue value) throws IOException {
        if (value.is(ValueType.HS_ADMIN)) {
            Optional<String> admin = admin(value.data());
            if (admin.isPresent()) {
                return "ADMIN " + admin.get();
            }
        }
        if (value.is(ValueType.HS_VLIST)) {
            Optional<String> list = list(value.data());
            if (list.isPresent()) {
                return "LIST " + list.get();
            }
        }
        return isLine(value.data())
                ? "UTF8 " + new String(value.data(), StandardCharsets.UTF_8)
                : "FILE " + file(value.data());
    }

    private static Optional<String> admin(byte[] data) {
        try {
            AdminRecord admin = AdminRecord.read(data);
            String handle = admin.who().handle().toString();
            boolean exact = Arrays.equals(admin.write(), data)
                    && admin.rights() <= AdminRight.ALL
                    && isName(admin.who().handle());
            return exact
                    ? Optional.of(Integer.toUnsignedString(admin.who().index()) + ":"
                            + AdminRight.batchDigits(admin.rights()) + ":" + handle)
                    : Optional.empty();
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private static Optional<String> list(byte[] data) {
        try {
            IdentityList list = IdentityList.read(data);
            StringBuilder text = new StringBuilder();
            for (ValueReference each : list.members()) {
                if (!isName(each.handle()) || each.handle().toString().contains(";")) {
                    return Optional.empty();
                }
                text.append(each).append(';');
            }
            return Arrays.equals(list.write(), data) ? Optional.of(text.toString()) : Optional.empty();
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Returns whether a handle survives stripping of blanks at its ends. */
    private static boolean isName(Handle handle) {
        String text = handle.toString();
        return isLine(handle.bytes()) && !text.isEmpty() && text.equals(text.strip());
    }

    private static boolean isLine(byte[] data) {
        for (byte each : data) {
            if (each == '\n' || each == '\r') {
                return false;
            }
        }
        return Utf8.decode(data).isPresent();
    }

    private String file(byte[] data) throws IOException {
        Files.createDirectories(folder);
        String name = HexFormat.of().formatHex(Sha256.of(data), 0, NAME_BYTES);
        Files.write(folder.resolve(name), data);
        return folder.getFileName() + "/" + name;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
