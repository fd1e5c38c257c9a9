package io.guidepost.server.console;

import io.guidepost.server.admin.AdminPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;

/** One screen in a browser of what a middlebox counts: pages of a port of its own on loopback, by the rules of the admin port. */
public final class BoxConsole implements AutoCloseable {
    /** What {@code --json} of the box says. */
    public static final String PAGE = "/box";

    private final AdminPort port;

    /**
     * Opens it.
     *
     * @param number of the port, 0 for any that is free
     * @param token that a viewer must have; empty = none
     * @param told what the box counts now, for JSON; any thread may ask
     * @throws IOException in one line, if the port cannot be had
     */
    public BoxConsole(int number, Optional<String> token, Supplier<Object> told) throws IOException {
        port = AdminPort.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), number), "--ui", token, pages -> pages
                .under("/ui/", name -> ConsoleFiles.answer(name.isEmpty() ? "box.html" : name))
                .getGuarded(PAGE, _ -> AdminPort.json(200, told.get())));
    }

    /** Returns where it is. */
    public InetSocketAddress address() {
        return port.address();
    }

    @Override
    public void close() {
        port.close();
    }
}
