package io.guidepost.packages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/** Debian's format: an ar archive of a version, a tar of what dpkg is to know, and a tar of the files (deb(5)). */
final class DebPackage {
    private static final int MODE = 0100644;

    private DebPackage() {}

    /**
     * Returns the package.
     *
     * @param control what dpkg is to know, the file {@code control} among it; sizes and sums are added
     * @param files what is installed
     */
    static byte[] of(FileTree control, FileTree files, Instant time) throws IOException {
        StringBuilder sums = new StringBuilder();
        for (String each : files.paths()) {
            sums.append(md5(files.bytes(each))).append("  ").append(each).append('\n');
        }
        String about = new String(control.bytes("control"), StandardCharsets.UTF_8)
                .replace("@KIBIBYTES@", Long.toString(files.kibibytes()));
        FileTree all = new FileTree().addAll("", control).add("control", about).add("md5sums", sums.toString());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ArArchiveOutputStream ar = new ArArchiveOutputStream(bytes)) {
            write(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII), time);
            write(ar, "control.tar.gz", all.tar("./", time), time);
            write(ar, "data.tar.gz", files.tar("./", time), time);
        }
        return bytes.toByteArray();
    }

    private static void write(ArArchiveOutputStream ar, String name, byte[] bytes, Instant time) throws IOException {
        ar.putArchiveEntry(new ArArchiveEntry(name, bytes.length, 0, 0, MODE, time.getEpochSecond()));
        ar.write(bytes);
        ar.closeArchiveEntry();
    }

    private static String md5(byte[] bytes) {
        try {
            return String.format("%032x", new BigInteger(1, MessageDigest.getInstance("MD5").digest(bytes)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }
}
