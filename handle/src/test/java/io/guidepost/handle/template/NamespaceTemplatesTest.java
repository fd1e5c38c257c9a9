package io.guidepost.handle.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which template makes the record of which handle. */
class NamespaceTemplatesTest {
    private static final String PREFIX = "<namespace><template delimiter='@'><foreach>"
            + "<if value='type' expression='URL'><value data='${data}?x=${extension}'/></if><else><value/></else>"
            + "</foreach></template></namespace>";

    @TempDir
    Path folder;

    private final NamespaceDetector watch = new NamespaceDetector();
    private EmbeddedStore store;
    private HandleRecords records;
    private NamespaceTemplates templates;

    private final RemoteResolver remote = new RemoteResolver() {
        @Override
        public Optional<HandleResult> resolve(ResolveRequest question) throws IOException {
            return switch (question.handle().toString()) {
                case "far/away" -> Optional.of(HandleResult.found(
                        question.handle(),
                        List.of(HandleValue.of(10, "HS_NAMESPACE", "<template><value type='F' data='far'/></template>"))));
                case "far/gone" -> Optional.of(HandleResult.of(ResponseCode.HANDLE_NOT_FOUND, question.handle(), ""));
                case "far/silent" -> throw new IOException("no answer");
                default -> Optional.empty();
            };
        }

        @Override
        public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
            return Optional.empty();
        }
    };

    @BeforeEach
    void open() throws IOException {
        store = EmbeddedStore.open(StoreOptions.in(folder.resolve("store")).withDerivation(watch));
        records = new HandleRecords(store, false);
        templates = new NamespaceTemplates(records, remote, TemplateSettings.USUAL, watch);
        assertThat(templates.isEmpty()).isTrue();
        put("0.NA/10.5", HandleValue.of(3, "HS_NAMESPACE", PREFIX));
        put("10.5/b", HandleValue.of(1, "URL", "http://a/"), HandleValue.of(2, "EMAIL", "me@a"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void put(String handle, HandleValue... values) throws IOException {
        HandleRecord record = new HandleRecord(Handle.of(handle), List.of(values));
        records.change(record.handle(), (current, now) -> new RecordEdit.Next.Written(record, false));
    }

    private String made(String handle) throws IOException {
        return templates
                .expand(Handle.of(handle))
                .map(record -> {
                    assertThat(record.handle()).hasToString(handle);
                    return String.join(
                            ", ",
                            record.values().stream()
                                    .map(each -> each.type() + " " + new String(each.data(), StandardCharsets.UTF_8))
                                    .toList());
                })
                .orElse("none");
    }

    @Test
    void whetherThereIsANamespaceIsKnown() throws IOException, Malformed {
        assertThat(templates.isEmpty()).isFalse();
        NamespaceDetector later = new NamespaceDetector();
        assertThat(new NamespaceTemplates(records, remote, TemplateSettings.USUAL, later).isEmpty()).isFalse();
        try (EmbeddedStore other = EmbeddedStore.open(StoreOptions.in(folder.resolve("other")))) {
            HandleRecords none = new HandleRecords(other, false);
            NamespaceDetector idle = new NamespaceDetector();
            assertThat(new NamespaceTemplates(none, remote, TemplateSettings.USUAL, idle).isEmpty()).isTrue();
            assertThat(new NamespaceTemplates(none, remote, TemplateSettings.of("@", "", false), idle).isEmpty()).isFalse();
        }
    }

    @Test
    void aPrefixHasATemplateForAllItsHandles() throws IOException {
        assertThat(made("10.5/B@foo")).isEqualTo("URL http://a/?x=foo, EMAIL me@a");
        assertThat(made("10.5/b@foo@bar")).isEqualTo("URL http://a/?x=foo@bar, EMAIL me@a");
        assertThat(made("10.5/b@")).isEqualTo("URL http://a/?x=, EMAIL me@a");
        assertThat(made("10.5/b")).isEqualTo("none");
        assertThat(made("10.6/b@foo")).isEqualTo("none");
        assertThat(made("10@5/b")).isEqualTo("none");
        assertThat(made("0.NA/10.5@x")).isEqualTo("none");
        // Of a base that is not there nothing is made, but the template is there: a record without values.
        assertThat(made("10.5/nosuch@foo")).isEmpty();
        assertThat(templates.count(TemplateCount.TEMPLATES_MADE)).isEqualTo(4);
    }

    /** What docs/handle-web.md shows. */
    @Test
    void theExampleOfTheDocumentationWorks() throws IOException {
        put("0.NA/10.6", HandleValue.of(3, "HS_NAMESPACE", """
                <namespace>
                  <template delimiter="@">
                    <foreach>
                      <if value="type" test="equals" expression="URL">
                        <if value="extension" test="matches" expression="page([0-9]+)" parameter="p">
                          <value data="${data}#page=${p[1]}"/>
                        </if>
                        <else><notfound/></else>
                      </if>
                      <else><value/></else>
                    </foreach>
                  </template>
                </namespace>
                """));
        put("10.6/book", HandleValue.of(1, "URL", "https://e.org/book.pdf"), HandleValue.of(2, "EMAIL", "me@e.org"));
        assertThat(made("10.6/book@page7")).isEqualTo("URL https://e.org/book.pdf#page=7, EMAIL me@e.org");
        assertThat(made("10.6/book@x")).isEqualTo("none");
    }

    @Test
    void derivedPrefixesInherit() throws IOException {
        put("10.5.7/c", HandleValue.of(1, "URL", "http://c/"));
        assertThat(made("10.5.7/c@1")).isEqualTo("URL http://c/?x=1");
    }

    @Test
    void theNamespaceOfTheBaseComesFirst() throws IOException {
        put("10.5/own", HandleValue.of(1, "HS_NAMESPACE", "<namespace><template><value type='O' data='${base}'/></template></namespace>"));
        assertThat(made("10.5/own@x")).isEqualTo("O 10.5/own");
        put("10.5/hidden", new HandleValue(
                1, "HS_NAMESPACE", "<x".getBytes(StandardCharsets.UTF_8), Permissions.SECRET, Ttl.usual(), 0, List.of()));
        assertThat(made("10.5/hidden@x")).isEqualTo("HS_NAMESPACE <x");
    }

    @Test
    void aSlashIsForAWholePrefix() throws IOException {
        put("0.NA/10.8", HandleValue.of(3, "HS_NAMESPACE", "<namespace><template delimiter='/'>"
                + "<if test='matches' expression='[0-9]+/?.*'><value type='URL' data='http://e/${extension}'/></if>"
                + "<else><notfound/></else></template></namespace>"));
        assertThat(made("10.8/12/3")).isEqualTo("URL http://e/12/3");
        assertThat(made("10.8/x")).isEqualTo("none");
        assertThat(templates.count(TemplateCount.TEMPLATES_NOT_FOUND)).isEqualTo(1);
    }

    @Test
    void aTemplateMayPointToAnother() throws IOException {
        put("10.5/t", HandleValue.of(10, "XML", "<template><value type='T' data='${extension}'/></template>"));
        put("10.5/u", HandleValue.of(1, "HS_NAMESPACE", "<namespace><template ref='10:10.5/t'/></namespace>"));
        assertThat(made("10.5/u@1")).isEqualTo("T 1");
        put("10.5/v", HandleValue.of(1, "HS_NAMESPACE", "<namespace><template ref='10:far/away'/></namespace>"));
        assertThat(made("10.5/v@1")).isEqualTo("F far");
        for (String ref : List.of("1:10.5/w", "9:10.5/t", "10:far/gone", "10:far/silent", "10:nowhere/x", "10.5/t", "")) {
            put("10.5/w", HandleValue.of(1, "HS_NAMESPACE", "<namespace><template ref='" + ref + "'/></namespace>"));
            assertThat(made("10.5/w@1")).as(ref).isEqualTo("none");
        }
        put("10.5/w", HandleValue.of(1, "HS_NAMESPACE", "<namespace"));
        assertThat(made("10.5/w@1")).isEqualTo("none");
        assertThat(templates.count(TemplateCount.TEMPLATES_FAILED)).isEqualTo(8);
    }

    @Test
    void settingsStandInForNamespaces() throws IOException, Malformed {
        String xml = "<namespace><template><value type='S' data='${extension}'/></template></namespace>";
        templates = new NamespaceTemplates(records, remote, TemplateSettings.of("+", xml, false), watch);
        assertThat(made("10.9/b+1")).isEqualTo("S 1");
        assertThat(made("10.5/b@1")).isEqualTo("URL http://a/?x=1, EMAIL me@a");
        assertThat(made("10.5/b+1")).isEqualTo("none");
        templates.follow(TemplateSettings.of("+", xml, true));
        assertThat(made("10.5/b+1")).isEqualTo("S 1");
        assertThat(made("10.5/b@1")).isEqualTo("none");
    }
}
