package io.guidepost.server.cli.scaffold;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.DurableFiles;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.Main;
import io.guidepost.server.cli.support.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Commands of SCAFFOLD that need no gateway. */
class ScaffoldCommandsTest {
    @TempDir
    private Path folder;

    private CommandRun run(String... words) {
        List<String> all = new ArrayList<>(List.of("scaffold"));
        all.addAll(List.of(words));
        all.addAll(List.of("--folder", folder.resolve("gateway").toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void everyCommandHasAnExampleInItsHelp() {
        CommandLine scaffold = requireNonNull(Main.commandLine("scaffold").getSubcommands().get("scaffold"));
        assertThat(scaffold.getSubcommands()).hasSizeGreaterThanOrEqualTo(8);
        scaffold.getSubcommands().keySet().forEach(each -> assertThat(CommandRun.of("scaffold", each, "--help").out())
                .as(each)
                .contains("Example:  guidepost scaffold " + each));
    }

    @Test
    void keysStayAndADelegationIsForOneHost() throws Exception {
        CommandRun first = run("keys", "--json");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(run("keys", "--json").out()).isEqualTo(first.out());
        assertThat(Files.getPosixFilePermissions(folder.resolve("gateway")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(folder.resolve("gateway/host.pem")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Path file = folder.resolve("web.pem");
        CommandRun delegated = run("delegate", "Web", "--host", "0123456789abcdef0123456789abcdef01234567", "--out", file.toString());
        assertThat(delegated.code()).as(delegated.err()).isZero();
        Delegation read = GatewayFolder.delegation(file);
        assertThat(read.host()).isEqualTo(Guid.parse("0123456789abcdef0123456789abcdef01234567"));
        assertThat(read.isSigned()).isTrue();
        assertThat(run("keys").out()).contains("object  web   " + read.object());
    }

    @Test
    void withoutAGatewayACommandSaysHowToStartOne() {
        for (String each : List.of("flows", "ways", "drain web", "resolve web", "register web --port 80")) {
            CommandRun run = run(each.split(" "));
            assertThat(run.code()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err()).contains("no gateway answers in the folder", "guidepost scaffold gateway").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            gateway --router 192.0.2.1 --mtu 9                 | 2 | the MTU is 9; it must be 576 to 65000
            gateway --router 192.0.2.1 --seal some             | 2 | --seal is 'some'; it must be all or none
            gateway --router 192.0.2.1 --address nowhere       | 2 | 'nowhere' is not an address: write one such as 192.0.2.7
            gateway                                            | 2 | --router
            proxy --router 192.0.2.1                           | 2 | say what to do: --socks, --listen or --serve
            proxy --router 192.0.2.1 --serve web=127.0.0.1:80  | 2 | --serve needs --allow
            proxy --router 192.0.2.1 --socks 1080 --allow x    | 2 | 'x' is none of: a GUID of 40 hexadecimal digits
            register web --port 0                              | 2 | --port and --weight are 1 to 65535
            register web --port 80 --delegation pom.xml        | 1 | pom.xml: there are no lines -----BEGIN GUIDEPOST DELEGATION-----
            delegate web --host 0123456789abcdef0123456789abcdef01234567 --days 0 | 2 | --days is 0; it must be 1 to 3650
            """)
    void whatIsWrongIsToldWithWhatWouldBeRight(String command, int code, String fault) {
        CommandRun run = run(command.split(" "));
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).contains(fault).doesNotContain("\tat ");
    }

    @Test
    void aFileOfAnotherKindIsNoDelegation() throws Exception {
        Path file = folder.resolve("x.pem");
        String text = "-----BEGIN GUIDEPOST DELEGATION-----\nAAAA\n-----END GUIDEPOST DELEGATION-----\n";
        DurableFiles.write(file, text.getBytes(StandardCharsets.US_ASCII));
        assertThat(run("register", "web", "--port", "80", "--delegation", file.toString()).err())
                .contains("x.pem: a delegation has 124 bytes, not 3");
    }
}
