package io.guidepost.server.cli.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.AddressText;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on handles against a whole server, and moving one in and out. */
class HandleCommandsTest {
    @TempDir
    private Path folder;

    private CommandRun handle(String server, String... args) {
        List<String> all = new ArrayList<>(List.of("handle"));
        all.addAll(Arrays.asList(args));
        all.addAll(List.of("--server", server));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private CommandRun done(CommandRun ran) {
        assertThat(ran.code()).as(ran.err()).isZero();
        return ran;
    }

    /** A store with the prefix 1234 and its administrator, moved in from a batch file. */
    private void moveIn() throws Exception {
        done(CommandRun.of("handle", "keygen", folder.resolve("adm").toString()));
        Path batch = Files.writeString(folder.resolve("first.batch"), """
                HOME 127.0.0.1:2641:TCP
                0.NA/1234

                CREATE 1234/ADMIN
                100 HS_ADMIN 86400 1110 ADMIN 300:111111111111:1234/ADMIN
                300 HS_PUBKEY 86400 1110 FILE admpub.bin
                301 HS_SECKEY 86400 1100 UTF8 secret
                """);
        CommandRun moved = done(CommandRun.of("import", "handle", batch.toString(), "--set", "store.folder=" + folder.resolve("store")));
        assertThat(moved.out()).contains("created", "in " + folder.resolve("store"));
    }

    private RunningServer start() throws Exception {
        return RunningServer.start(
                folder,
                "handle.enabled=true",
                "handle.folder=" + folder.resolve("handle"),
                "handle.listen=127.0.0.1",
                "handle.udp-port=-1",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.server-admins=300:1234/ADMIN,301:1234/ADMIN",
                "handle.permit=prefix-admins,listing,client-certificates,server-admin-full-access");
    }

    private static String tcp(RunningServer server) {
        return "tcp://" + AddressText.of(server.server().handleTcpAddresses().getFirst());
    }

    @Test
    void dailyWork() throws Exception {
        moveIn();
        String key = folder.resolve("admpriv.bin").toString();
        String secret = Files.writeString(folder.resolve("secret"), "secret\n").toString();
        List<String> byKey = List.of("--as", "300:1234/ADMIN", "--key", key);
        try (RunningServer server = start()) {
            String at = tcp(server);
            done(handle(at, "create", "1234/a", "URL=http://e.x/1", "2:EMAIL=a@e.x", "--as", "300:1234/ADMIN", "--key", key));
            assertThat(handle(at, "get", "1234/A").out()).contains("http://e.x/1", "a@e.x", "300:1234/ADMIN with rights");
            done(handle(
                    at, "modify", "1234/a", "1:URL=http://e.x/2", "--as", "301:1234/ADMIN", "--secret-file", secret));
            done(handle(at, "add", "1234/a", "3:DESC=new", "--as", "300:1234/ADMIN", "--key", key, "--encrypted"));
            done(handle(at, "remove", "1234/a", "2", "--as", "300:1234/ADMIN", "--key", key, "--certified"));
            assertThat(handle(at, "get", "1234/a", "--type", "URL", "--json").out())
                    .contains("\"responseCode\": 1", "http://e.x/2")
                    .doesNotContain("EMAIL");
            assertThat(done(handle(at, "create", "1234/", "URL=http://e.x", "--mint", byKey.get(0), byKey.get(1), "--key", key))
                            .out())
                    .startsWith("1234/");
            assertThat(done(handle(at, "list", "1234", "--as", "300:1234/ADMIN", "--key", key)).out())
                    .contains("1234/a\n", "1234/ADMIN\n");
            done(handle(at, "home", "77", "--as", "300:1234/ADMIN", "--key", key));
            assertThat(done(handle(at, "home", "--as", "300:1234/ADMIN", "--key", key)).out()).contains("0.NA/1234", "0.NA/77");
            assertThat(done(handle(at, "verify", "--as", "300:1234/ADMIN", "--key", key)).out()).contains("it is that of");
            done(handle(at, "verify", "--as", "301:1234/ADMIN", "--secret-file", secret));
            assertThat(done(handle(at, "site")).out()).contains("TCP", "takes changes");
            done(handle(at, "delete", "1234/a", "--as", "300:1234/ADMIN", "--key", key));
            CommandRun gone = handle(at, "get", "1234/a");
            assertThat(gone.code()).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(gone.err()).isEqualTo("guidepost: 1234/a: no such handle\n");
        }
    }

    @Test
    void whatIsWrongIsToldInALineThatSaysWhatWouldBeRight() throws Exception {
        moveIn();
        Path secret = Files.writeString(folder.resolve("secret"), "wrong\n");
        try (RunningServer server = start()) {
            String at = tcp(server);
            for (List<String> each : List.of(
                    List.of("--as INDEX:HANDLE and --key", "create", "1234/x", "URL=a"),
                    List.of("is not that of", "create", "1234/x", "URL=a", "--as", "301:1234/ADMIN", "--secret-file",
                            secret.toString()),
                    List.of("guidepost handle home", "get", "4321/x"),
                    List.of("--as needs --key FILE", "get", "1234/x", "--as", "300:1234/ADMIN"),
                    List.of("--as INDEX:HANDLE", "get", "1234/x", "--key", secret.toString()),
                    List.of("an index, a colon", "get", "1234/x", "--as", "ADMIN", "--key", secret.toString()),
                    List.of("is no private key", "get", "1234/x", "--as", "300:1234/ADMIN", "--key", secret.toString()),
                    List.of("[INDEX:]TYPE=DATA", "add", "1234/x", "URL"))) {
                CommandRun ran = handle(at, each.subList(1, each.size()).toArray(String[]::new));
                assertThat(ran.code()).as("%s", each).isNotZero();
                assertThat(ran.err()).as("%s", each).startsWith("guidepost: ").contains(each.getFirst()).hasLineCount(1);
            }
        }
        assertThat(handle("tcp://127.0.0.1:1", "get", "1234/x").err()).contains("does not answer").hasLineCount(1);
        assertThat(handle("gopher://127.0.0.1", "get", "1234/x").err()).contains("tcp://, udp://").hasLineCount(1);
        assertThat(CommandRun.of("import", "handle", folder.toString()).err()).contains("has no config.dct");
        Path neither = Files.writeString(folder.resolve("neither"), "hello\n");
        assertThat(CommandRun.of("import", "handle", neither.toString()).err()).contains(neither + ":1: ", "this is neither");
    }

    @Test
    void aBatchIsDoneManyAtATimeAndFailuresAreToldByLine() throws Exception {
        moveIn();
        StringBuilder batch = new StringBuilder("AUTHENTICATE PUBKEY:300:1234/ADMIN\nadmpriv.bin\n\n");
        for (int i = 0; i < 200; i++) {
            batch.append("CREATE 1234/").append(i).append("\n1 URL 86400 1110 UTF8 http://e.x/").append(i).append("\n\n");
        }
        batch.append("CREATE 1234/7\n1 URL 86400 1110 UTF8 http://e.x/again\n\nMODIFY 1234/8\n1 URL 86400 1110 UTF8 b\n");
        Path file = Files.writeString(folder.resolve("many.batch"), batch);
        try (RunningServer server = start()) {
            CommandRun ran = handle(tcp(server), "batch", file.toString());
            assertThat(ran.code()).isEqualTo(ExitCode.FAILED);
            assertThat(ran.out()).isEqualTo("201 done, 1 failed\n");
            assertThat(ran.err()).contains(file + ":604: 1234/7: the handle exists").hasLineCount(1);
            assertThat(handle(tcp(server), "get", "1234/8", "--json").out()).contains("\"b\"");
        }
    }

    @Test
    void aServersFolderBecomesAConfigurationAndItsRecordsAStore() throws Exception {
        Path old = Files.createDirectories(folder.resolve("svr"));
        moveIn();
        Files.copy(folder.resolve("admpriv.bin"), old.resolve("privkey.bin"));
        Files.copy(folder.resolve("admpub.bin"), old.resolve("pubkey.bin"));
        Files.writeString(old.resolve("config.dct"), """
                {
                "server_type" = "server"
                "hdl_tcp_config" = { "bind_address" = "127.0.0.1" "bind_port" = "2642" "log_accesses" = "yes" }
                "interfaces" = ( "hdl_tcp" )
                "server_config" = {
                "server_admins" = ( "300:1234/ADMIN" )
                "case_sensitive" = "no"
                "max_auth_time" = "30000"
                "bdbje_no_sync_on_write" = "yes"
                "strange" = "x"
                }
                }
                """);
        Path dump = folder.resolve("dump.json");
        String store = "store.folder=" + folder.resolve("store");
        done(CommandRun.of("export", "handle", dump.toString(), "--set", store));
        Path toml = folder.resolve("new/guidepost.toml");
        Files.createDirectories(toml.getParent());
        String other = "store.folder=" + folder.resolve("other");
        CommandRun moved = done(CommandRun.of("import", "handle", old.toString(), dump.toString(), "--write-config",
                toml.toString(), "--set", other));
        assertThat(moved.err())
                .contains("config.dct:8: max_auth_time has no counterpart here", "config.dct:10: strange has no counterpart here");
        assertThat(Files.readString(toml))
                .contains("tcp-port = 2642", "udp-port = -1", "server-admins = [\"300:1234/ADMIN\"]",
                        "permit = [\"prefix-admins\", \"listing\", \"client-certificates\"]");
        assertThat(done(CommandRun.of("config", "--config", toml.toString())).out()).contains("[gnrs]\nenabled = false");
        assertThat(toml.resolveSibling("guidepost-handle/privkey.bin")).exists();
        Path again = folder.resolve("again.json");
        done(CommandRun.of("export", "handle", again.toString(), "--set", other));
        assertThat(again).hasSameBinaryContentAs(dump);
        assertThat(CommandRun.of("import", "handle", dump.toString(), "--set", other, "--json").out()).contains("\"unchanged\": 1");
    }
}
