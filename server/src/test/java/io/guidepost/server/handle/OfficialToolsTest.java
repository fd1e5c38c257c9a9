package io.guidepost.server.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.cli.HandleDemo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command-line tools of the client library 9.3.1, each in a process of its own, against a server of ours. They know it
 * by the file {@code .handle/local_info.json} of a home folder of their own. Whatever they do, they reach nobody but
 * loopback: all else would go through a proxy that is not there.
 */
class OfficialToolsTest {
    private static final long SECONDS_MAX = 120;

    @TempDir
    private static Path folder;

    private static HandleTestServer server;

    @BeforeAll
    static void begin() throws Exception {
        assumeTrue(!classPath().isEmpty(), "the client library is not on the class path");
        server = HandleTestServer.start(folder);
        Path settings = Files.createDirectories(folder.resolve("home/.handle"));
        String site = Files.readString(folder.resolve("handle/siteinfo.json"));
        Files.writeString(
                settings.resolve("local_info.json"),
                "[{\"nas\":[\"" + HandleDemo.PREFIX + "\",\"0.NA\",\"0.NA/" + HandleDemo.PREFIX + "\"],\"site\":" + site
                        + "}]");
        Files.writeString(settings.resolve("config.dct"), "{\n\"auto_update_root_info\" = \"no\"\n}\n");
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                .filter(each -> each.matches(".*/(handle-client|cnriutil|gson|commons-codec)-[^/]*\\.jar"))
                .collect(Collectors.joining(":"));
    }

    private static String run(String tool, Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-DsocksProxyHost=127.0.0.1",
                "-DsocksProxyPort=9",
                "-DsocksNonProxyHosts=127.0.0.1|localhost",
                "-Duser.home=" + folder.resolve("home"),
                "-cp",
                classPath(),
                "net.handle.apps." + tool));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        Path output = Files.createTempFile(folder, "tool", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        String text = Files.readString(output, UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static Path key() {
        return folder.resolve("handle/admpriv.bin");
    }

    private static Object[] asAdministrator(Object... more) {
        List<Object> all = new ArrayList<>(
                List.of(HandleDemo.BY_KEY.handle().toString(), HandleDemo.BY_KEY.index(), key()));
        all.addAll(List.of(more));
        return all.toArray();
    }

    private static boolean exists(String handle) throws Exception {
        return HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), HandleMessages.resolve(1, handle))
                        .header()
                        .responseCode()
                == 1;
    }

    @Test
    void aHandleIsTraced() throws Exception {
        assertThat(run("simple.HDLTrace", "1234/library"))
                .contains("HDL-UDP", "rc=1;", "index=1 type=URL rwr- \"https://library.example/catalogue\"");
    }

    @Test
    void aHandleIsCreatedListedAndDeleted() throws Exception {
        assertThat(run("simple.HDLCreate", asAdministrator("1234/made"))).contains("oc=100; rc=402;", "oc=100; rc=1;");
        assertThat(exists("1234/made")).isTrue();
        assertThat(run("simple.HDLList", asAdministrator("1234"))).contains("\n1234/library", "\n1234/made");
        Path names = Files.writeString(folder.resolve("names.txt"), "1234/made\n");
        assertThat(run("simple.HDLDelete", asAdministrator(names))).contains("deleted 1234/made");
        assertThat(exists("1234/made")).isFalse();
    }

    @Test
    void aBatchIsDone() throws Exception {
        String text = """
                AUTHENTICATE PUBKEY:300:0.NA/1234
                %s

                CREATE 1234/batch-one
                100 HS_ADMIN 86400 1110 ADMIN 300:111111111111:0.NA/1234
                1 URL 86400 1110 UTF8 https://example.org/one

                CREATE 1234/batch-two
                100 HS_ADMIN 86400 1110 ADMIN 300:111111111111:0.NA/1234
                1 URL 86400 1110 UTF8 https://example.org/two

                ADD 1234/batch-one
                2 EMAIL 86400 1110 UTF8 who@example.org

                MODIFY 1234/batch-two
                1 URL 86400 1110 UTF8 https://example.org/three

                REMOVE 2:1234/batch-one

                DELETE 1234/batch-one

                HOME 127.0.0.1:%2$d:TCP
                0.NA/9999

                UNHOME 127.0.0.1:%2$d:TCP
                0.NA/9999

                """.formatted(key(), server.tcpPort());
        Path batch = Files.writeString(folder.resolve("batch.txt"), text);
        Path log = folder.resolve("batch.log");
        run("batch.GenericBatch", batch, log);
        assertThat(log).content().contains("Successes/Total Entries: 8/8");
        assertThat(exists("1234/batch-two")).isTrue();
        assertThat(exists("1234/batch-one")).isFalse();
    }

    @Test
    void aBatchBySecretKeyIsDone() throws Exception {
        String text = """
                AUTHENTICATE SECKEY:301:0.NA/1234
                %s

                CREATE 1234/by-secret
                100 HS_ADMIN 86400 1110 ADMIN 300:111111111111:0.NA/1234

                """.formatted(HandleDemo.SECRET);
        Path log = folder.resolve("secret.log");
        run("batch.GenericBatch", Files.writeString(folder.resolve("secret.txt"), text), log);
        assertThat(log).content().contains("Successes/Total Entries: 1/1");
    }

    @Test
    void theDescriptionOfTheSiteIsFetched() throws Exception {
        Path fetched = folder.resolve("fetched.bin");
        run("tools.GetSiteInfo", "127.0.0.1", server.tcpPort(), fetched);
        assertThat(fetched).hasSameBinaryContentAs(folder.resolve("handle/siteinfo.bin"));
    }

    @Test
    void aPrefixIsHomed() throws Exception {
        assertThat(run("simple.HomeNA", asAdministrator("127.0.0.1", server.tcpPort(), "0.NA/5678")))
                .contains("oc=300; rc=1;");
        assertThat(server.running().metric("guidepost_handle_prefixes")).isGreaterThanOrEqualTo(2);
    }
}
