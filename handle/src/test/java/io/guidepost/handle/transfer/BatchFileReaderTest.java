package io.guidepost.handle.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchFileReaderTest {
    @TempDir
    private Path folder;

    private List<ImportItem> read(String text) throws Exception {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<ImportItem> read(byte[] text) throws Exception {
        Path file = Files.write(folder.resolve("b"), text);
        List<ImportItem> items = new ArrayList<>();
        try (BatchFileReader in = new BatchFileReader(file)) {
            for (Optional<ImportItem> each = in.next(); each.isPresent(); each = in.next()) {
                items.add(each.get());
            }
        }
        return items;
    }

    private List<ImportStep> steps(String text) throws Exception {
        return read(text).stream()
                .map(each -> {
                    assertThat(each).isInstanceOf(ImportItem.Of.class);
                    return ((ImportItem.Of) each).step();
                })
                .toList();
    }

    @Test
    void allOperations() throws Exception {
        Files.write(folder.resolve("key.bin"), new byte[] {1, 2, 3});
        Handle one = Handle.of("10.5/one");
        ValueReference admin = new ValueReference(Handle.of("0.NA/10.5"), 300);
        assertThat(steps(
                        """
                        AUTHENTICATE SECKEY:301:0.NA/10.5
                        my password

                        SESSIONSETUP
                        USESESSION:1
                        OPTIONS:111

                        CREATE 10.5/one
                        100 HS_ADMIN 86400 1110 ADMIN 300:110011111111:0.NA/10.5
                        300 HS_PUBKEY 86400 1110 FILE key.bin
                        301 HS_SECKEY 86400 1100 UTF8 two words
                        400 HS_VLIST 86400 1110 LIST 300:0.NA/10.5; 300:10.5/two;
                        ADD 10.5/one
                        7 EMAIL 60 1110 UTF8 a@e.x

                        MODIFY 10.5/one
                        7 EMAIL 60 1111 UTF8\s
                        REMOVE 7,300:10.5/one
                        DELETE 10.5/one
                        HOME 127.0.0.1:2641:TCP
                        0.NA/10.5

                        UNHOME 127.0.0.1:2641:TCP
                        0.NA/10.5
                        AUTHENTICATE PUBKEY:300:0.NA/10.5
                        key.bin|secret
                        """))
                .containsExactly(
                        new ImportStep.BySecret(new ValueReference(admin.handle(), 301), "my password"),
                        new ImportStep.Session(true, true),
                        new ImportStep.Create(new HandleRecord(
                                one,
                                List.of(
                                        HandleValue.of(100, "HS_ADMIN", new AdminRecord(0xff3, admin).write()),
                                        HandleValue.of(300, "HS_PUBKEY", new byte[] {1, 2, 3}),
                                        new HandleValue(
                                                301,
                                                "HS_SECKEY",
                                                "two words".getBytes(StandardCharsets.UTF_8),
                                                Permissions.SECRET,
                                                Ttl.usual(),
                                                0,
                                                List.of()),
                                        HandleValue.of(
                                                400,
                                                "HS_VLIST",
                                                new IdentityList(List.of(admin, new ValueReference(Handle.of("10.5/two"), 300)))
                                                        .write())))),
                        new ImportStep.Add(one, List.of(email("a@e.x", Permissions.USUAL))),
                        new ImportStep.Modify(one, List.of(email("", new Permissions(15)))),
                        new ImportStep.Remove(one, List.of(7, 300)),
                        new ImportStep.Delete(one),
                        new ImportStep.Home(Handle.of("0.NA/10.5")),
                        new ImportStep.Unhome(Handle.of("0.NA/10.5")),
                        new ImportStep.ByKey(admin, folder.resolve("key.bin"), "secret"));
    }

    private static HandleValue email(String text, Permissions permissions) {
        return new HandleValue(
                7,
                "EMAIL",
                text.getBytes(StandardCharsets.UTF_8),
                permissions,
                new Ttl.Relative(60),
                0,
                List.of());
    }

    @Test
    void aLineThatIsBrokenAsInPrintedExamplesIsRead() throws Exception {
        assertThat(steps("\ufeffCREATE 1/1\r\n100 HS_ADMIN 86400 1110 ADMIN\r\n300:111111111111:1/1\r\n\r\n"))
                .singleElement()
                .isInstanceOf(ImportStep.Create.class);
    }

    @Test
    void faultsAreToldByLineAndTheRestGoesOn() throws Exception {
        byte[] notUtf8 = "CREATE 1/4\n1 URL 1 1110 UTF8 \u00e4\n\nDELETE 1/5\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(read(notUtf8).getFirst().where()).endsWith("b:2");
        for (List<String> each : List.of(
                List.of("MAKE 1/1\n", ":1"),
                List.of("CREATE 1/1\n1 URL x 1110 UTF8 a\n", ":2"),
                List.of("CREATE 1/1\n1 URL 1 1110 UTF8 a\n0 URL 1 1110 UTF8 a\n", ":3"),
                List.of("CREATE 1/1\n1 URL 1 11 UTF8 a\n", ":2"),
                List.of("CREATE 1/1\n1 URL 1 1110 TEXT a\n", ":2"),
                List.of("CREATE 1/1\n1 URL 1 1110\n", ":2"),
                List.of("CREATE 1/1\n1 URL 1 1110 FILE nothing-here\n", ":2"),
                List.of("CREATE 1/1\n1 HS_ADMIN 1 1110 ADMIN 300:11:1/1\n", ":2"),
                List.of("CREATE 1/1\n1 URL 1 1110 UTF8 a\n1 URL 1 1110 UTF8 a\n", ":1"),
                List.of("CREATE 1/1\n\n", ":1"),
                List.of("REMOVE 1/1\n", ":1"),
                List.of("HOME 127.0.0.1:1:TCP\n1/1\n", ":2"),
                List.of("AUTHENTICATE NOKEY:1:1/1\nx\n", ":1"))) {
            List<ImportItem> items = read(each.getFirst() + "\nDELETE 1/2\n");
            assertThat(items).as(each.getFirst()).hasSize(2);
            assertThat(items.getFirst()).as(each.getFirst()).isInstanceOf(ImportItem.Faulty.class);
            assertThat(items.getFirst().where()).as(each.getFirst()).isEqualTo(folder.resolve("b") + each.getLast());
            assertThat(items.getLast()).isInstanceOf(ImportItem.Of.class);
        }
    }
}
