package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Chromium without a screen, spoken to by W3C WebDriver. */
final class Browser implements AutoCloseable {
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path PROGRAM = Path.of("/usr/bin/chromium");
    private static final int SCRIPT_MILLIS_MAX = 60_000;

    /** Looks in the page until something is so; the driver's time for a script bounds it. */
    private static final String AWAIT =
            """
            const [text, done] = [arguments[0], arguments[arguments.length - 1]];
            const look = () => { const [all, css, part] = text.split('\\u0000'); const found = [...document.querySelectorAll(css)];
              const seen = found.find((each) => each.textContent.includes(part));
              if (all === 'gone' ? !seen : seen) done(seen ? seen.textContent : ''); else setTimeout(look, 30); };
            look();
            """;

    private final Process driver;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String session;
    private final String id;

    /** Whether both programs are there. */
    static boolean isThere() {
        return Files.isExecutable(DRIVER) && Files.isExecutable(PROGRAM);
    }

    Browser() throws IOException, InterruptedException {
        driver = new ProcessBuilder(DRIVER.toString(), "--port=0").redirectErrorStream(true).start();
        String port = "";
        BufferedReader said = new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null && port.isEmpty(); line = port.isEmpty() ? said.readLine() : null) {
            port = line.contains("started successfully on port ") ? line.replaceAll(".*on port (\\d+).*", "$1") : "";
        }
        session = "http://127.0.0.1:" + port + "/session/";
        driverReads(said);
        Map<String, Object> options = JsonWriter.object(
                "binary", PROGRAM.toString(),
                "args", List.of("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"));
        Map<String, Object> wanted = JsonWriter.object(
                "goog:chromeOptions", options,
                "goog:loggingPrefs", Map.of("browser", "ALL"),
                "timeouts", Map.of("script", SCRIPT_MILLIS_MAX));
        id = text(call("", JsonWriter.object("capabilities", Map.of("alwaysMatch", wanted))), "sessionId");
    }

    /** Takes what the driver says, so that it never waits for a reader. */
    private static void driverReads(BufferedReader said) {
        Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
    }

    private static String text(@Nullable Object told, String name) {
        return told instanceof Map<?, ?> map ? String.valueOf(map.get(name)) : "";
    }

    private @Nullable Object call(String path, Object body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(session.replaceFirst("/$", path.isEmpty() ? "" : "/") + path))
                .method(body.equals("") ? "GET" : "POST", HttpRequest.BodyPublishers.ofString(body.equals("") ? "" : JsonWriter.text(body)))
                .build();
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).as(path + ": " + new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo(200);
        try {
            return JsonValue.read(answer.body()).plain() instanceof Map<?, ?> told ? told.get("value") : null;
        } catch (Malformed e) {
            throw new IOException(e);
        }
    }

    void open(String url) throws IOException, InterruptedException {
        call(id + "/url", Map.of("url", url));
    }

    void size(int width, int height) throws IOException, InterruptedException {
        call(id + "/window/rect", Map.of("width", width, "height", height));
    }

    /** Has pages look as for people who wish them dark. */
    void dark(boolean dark) throws IOException, InterruptedException {
        Map<String, Object> media = Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light")));
        call(id + "/goog/cdp/execute", Map.of("cmd", "Emulation.setEmulatedMedia", "params", media));
    }

    /** Runs a script in the page; what it returns. */
    @Nullable Object run(String script, Object... arguments) throws IOException, InterruptedException {
        return call(id + "/execute/sync", JsonWriter.object("script", script, "args", Arrays.asList(arguments)));
    }

    /** Waits for an element that holds a text; all of its text. */
    String await(String css, String part) throws IOException, InterruptedException {
        return await("there", css, part);
    }

    /** Waits until no element holds a text. */
    void awaitGone(String css, String part) throws IOException, InterruptedException {
        await("gone", css, part);
    }

    private String await(String how, String css, String part) throws IOException, InterruptedException {
        Map<String, Object> body = JsonWriter.object("script", AWAIT, "args", List.of(how + '\0' + css + '\0' + part));
        return String.valueOf(call(id + "/execute/async", body));
    }

    private String element(String css) throws IOException, InterruptedException {
        Object found = call(id + "/element", Map.of("using", "css selector", "value", css));
        return text(found, "element-6066-11e4-a52e-4f735466cecf");
    }

    /** Presses the middle of an element. */
    void click(String css) throws IOException, InterruptedException {
        await(css, "");
        call(id + "/element/" + element(css) + "/click", Map.of());
    }

    /** Types into an element, in place of what it holds. */
    void type(String css, String text) throws IOException, InterruptedException {
        await(css, "");
        run("const field = document.querySelector(arguments[0]); field.focus(); field.select();", css);
        call(id + "/element/" + element(css) + "/value", Map.of("text", text));
    }

    /** Presses keys where the focus is; special ones have numbers of WebDriver. */
    void press(String css, String keys) throws IOException, InterruptedException {
        call(id + "/element/" + element(css) + "/value", Map.of("text", keys));
    }

    byte[] picture() throws IOException, InterruptedException {
        return Base64.getDecoder().decode(String.valueOf(call(id + "/screenshot", "")));
    }

    /** What the console of the browser holds that is no note; of a picture that is opened by itself it asks for a favicon.ico. */
    List<?> complaints() throws IOException, InterruptedException {
        return call(id + "/se/log", Map.of("type", "browser")) instanceof List<?> all
                ? all.stream().filter(each -> String.valueOf(each).contains("SEVERE") && !String.valueOf(each).contains("favicon.ico"))
                        .toList()
                : List.of();
    }

    @Override
    public void close() throws IOException {
        try {
            HttpRequest end = HttpRequest.newBuilder(URI.create(session + id)).DELETE().build();
            client.send(end, HttpResponse.BodyHandlers.discarding());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
            driver.destroy();
        }
    }
}
