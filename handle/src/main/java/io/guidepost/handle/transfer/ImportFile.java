package io.guidepost.handle.transfer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A source that is a file, read from front to back. Its identity is its path, size and time of the last change. */
abstract class ImportFile implements ImportSource {
    private static final int BUFFER_BYTES = 1 << 16;

    final Path file;
    final InputStream in;
    private final String identity;
    private final long size;
    private final SeekableByteChannel channel;

    ImportFile(Path file) throws IOException {
        this.file = file;
        this.size = Math.max(1, Files.size(file));
        this.identity = file.toAbsolutePath().normalize() + " " + Files.size(file) + " "
                + Files.getLastModifiedTime(file).toMillis();
        this.channel = Files.newByteChannel(file);
        this.in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES);
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public double fraction() {
        try {
            return Math.min(1, (double) channel.position() / size);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
