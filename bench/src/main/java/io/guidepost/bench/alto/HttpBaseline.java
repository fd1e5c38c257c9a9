package io.guidepost.bench.alto;

import io.guidepost.bench.process.CProgram;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.RequestHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The HTTP server with one constant response: the cost of HTTP alone. It runs in a process of its own. */
final class HttpBaseline implements AutoCloseable {
    private final ChildProcess child;
    private final InetSocketAddress address;

    private HttpBaseline(ChildProcess child) {
        this.child = child;
        this.address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(CProgram.awaitReady(child)));
    }

    /** Starts it with a response of a length, and waits until it is ready. */
    static HttpBaseline start(int cpu, Path folder, int bytes) {
        List<String> command = new ArrayList<>(ServerUnderTest.java(HttpBaseline.class.getName()));
        command.add(Integer.toString(bytes));
        return new HttpBaseline(ChildProcess.start("plain_http", cpu, folder, command));
    }

    InetSocketAddress address() {
        return address;
    }

    long pid() {
        return child.pid();
    }

    @Override
    public void close() {
        child.close();
    }

    /** Runs the process: serves until it is ended. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        byte[] body = new byte[Integer.parseInt(arguments[0])];
        Arrays.fill(body, (byte) ' ');
        try (HttpServer host = new HttpServer(HttpServerSettings.STANDARD, "plain")) {
            int port = host.listen(List.of(InetAddress.getLoopbackAddress()), 0, "the port").getFirst().getPort();
            host.start(new Same(HttpResponse.of(200, "application/json", body)), null);
            System.out.println("ready " + port);
            new CountDownLatch(1).await();
        }
    }

    /** Answers every request alike, at once. */
    private record Same(HttpResponse response) implements RequestHandler {
        @Override
        public HttpResponse atOnce(HttpRequest request) {
            return response;
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return response;
        }

        @Override
        public HttpResponse busy(HttpRequest request) {
            return response;
        }

        @Override
        public HttpResponse failed(HttpRequest request) {
            return response;
        }
    }
}
