package io.guidepost.bench.alto;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.bench.BenchCommand;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The scene is played in a tiny size against the real service. */
class AltoBenchCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = BenchCommand.line();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    private AltoDispatcher service() throws Exception {
        Files.writeString(folder.resolve("map.json"), """
            {"meta":{"vtag":{"resource-id":"net","tag":"x"}},"network-map":{
              "near":{"ipv4":["127.0.0.0/8","10.0.0.0/8"]},"far":{"ipv4":["0.0.0.0/0"],"ipv6":["::/0"]}}}""");
        Files.writeString(folder.resolve("costs.json"), """
            {"meta":{"dependent-vtags":[{"resource-id":"net","tag":"x"}],
              "cost-type":{"cost-mode":"numerical","cost-metric":"routingcost"}},
             "cost-map":{"near":{"near":0,"far":20},"far":{"far":1}}}""");
        AltoSnapshot information = AltoMapFiles.read(List.of(folder), 1);
        return new AltoDispatcher(() -> information, ResourceCatalog.of(information, InstantSource.system()), List.of());
    }

    @Test
    void allTakeTurns() throws Exception {
        AltoDispatcher service = service();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.createContext("/", exchange -> answer(exchange, service));
            server.start();
            String address = "127.0.0.1:" + server.getAddress().getPort();
            int code = run(
                    "alto", address, "--rounds", "1", "--seconds", "0.2", "--warm-seconds", "0.1", "--connections", "2");
            assertThat(err.toString()).isEmpty();
            assertThat(code).isZero();
            assertThat(out.toString())
                    .contains("order of 100", "costs of 100", "plain answer", "map, held", "order of 100 / map")
                    .doesNotContain(" wrong, ");
            assertThat(run("alto", address, "--map", "/none")).isEqualTo(1);
            assertThat(err.toString()).contains("the server has no map at /none");
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, AltoDispatcher service) throws IOException {
        try (exchange) {
            Map<String, List<String>> headers = new HashMap<>();
            exchange.getRequestHeaders().forEach((name, lines) -> headers.put(name.toLowerCase(Locale.ROOT), lines));
            HttpResponse response = service.answer(new HttpRequest(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers,
                    exchange.getRequestBody().readAllBytes(), exchange.getRemoteAddress(), false, Optional.empty()));
            response.headers().forEach(each -> exchange.getResponseHeaders().add(each.getKey(), each.getValue()));
            byte[] body = ((HttpResponse.Bytes) response.body()).bytes();
            exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
