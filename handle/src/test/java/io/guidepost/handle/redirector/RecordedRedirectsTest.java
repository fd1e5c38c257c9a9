package io.guidepost.handle.redirector;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.location.Geolocation;
import io.guidepost.handle.location.LocationSelector;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.TestHandleSettings;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.template.NamespaceDetector;
import io.guidepost.handle.template.NamespaceTemplates;
import io.guidepost.handle.template.TemplateSettings;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records, resolution, templates and redirections together give what a genuine server, with the same records, was seen to. */
class RecordedRedirectsTest {
    private static final String LOCATIONS = "<locations chooseby='locatt,country,weighted'>"
            + "<location id='0' href='http://uk.example.com/' country='gb' weight='0'/>"
            + "<location id='1' href='http://www1.example.com/' weight='1'/></locations>";

    private static final String TEMPLATE = "<namespace><template delimiter='@'><foreach>"
            + "<if value='type' test='equals' expression='URL'>"
            + "<value data='${data}?x=${extension}&amp;b=${base}&amp;h=${handle}'/></if><else><value/></else>"
            + "</foreach></template></namespace>";

    /** Path and query, and what came: status and Location. */
    private static final String[][] SEEN = {
        {"/1234/1", "302 http://www.example.org/p"},
        {"/1234%2F1", "302 http://www.example.org/p"},
        {"/hdl:1234/1", "302 http://www.example.org/p"},
        {"/1234/1?auth", "302 http://www.example.org/p"},
        {"/1234/1?locatt=x:y", "302 http://www.example.org/p"},
        {"/1234/1?urlappend=.evil", "302 http://www.example.org/p.evil"},
        {"/1234/1?index=3", "302 http://second/"},
        {"/1234/1?type=EMAIL", "200"},
        {"/1234/1?index=77", "200"},
        {"/1234/1?noredirect=false", "200"},
        {"/1234/1?action=showvalues", "200"},
        {"/1234/1@foo", "302 http://www.example.org/p?x=foo&b=1234/1&h=1234/1@foo"},
        {"/1234/1@foo@bar", "302 http://www.example.org/p?x=foo@bar&b=1234/1&h=1234/1@foo@bar"},
        {"/1234/1@", "302 http://www.example.org/p?x=&b=1234/1&h=1234/1@"},
        {"/1234/a@b@c", "200"},
        {"/1234/nosuch@x", "200"},
        {"/1234/own@x", "302 http://ownns/x%7C1234/own"},
        {"/1234/own%23x", "404"},
        {"/1234/own@x%23y", "302 http://ownns/x#y%7C1234/own"},
        {"/1234/LOC", "302 http://www1.example.com/"},
        {"/1234/LOC?locatt=id:0", "302 http://uk.example.com/"},
        {"/1234/LOCURL", "302 http://www1.example.com/"},
        {"/1234/LOC?type=URL", "302 http://url/"},
        {"/1234/LOC?index=1", "302 http://url/"},
        {"/1234/LOC?action=showurls", "200"},
        {"/1234/ALIAS", "301 /1234/1"},
        {"/1234/ALIAS?urlappend=%2Fx", "301 /1234/1?urlappend=%2Fx"},
        {"/1234/ALIAS?noredirect", "200"},
        {"/1234/ALIAS?type=EMAIL", "200"},
        {"/1234/ALIAS?ignore_aliases", "302 http://own/"},
        {"/1234/sp", "302 http://e.x/a%20b%22%3C%C3%BC%3E"},
        {"/1234/email", "200"},
        {"/1234/emptyloc", "302 http://url/"},
        {"/1234/http_sc", "303 http://a/"},
        {"/1234/score", "302 http://b/"},
        {"/1234/scorelow", "302 http://a/"},
        {"/1234/tmpl", "302 http://a/1234%2Ftmpl"},
        {"/1234/twoatt?locatt=lang:de&locatt=id:2", "302 http://b/"},
        {"/1234/twoatt?locatt=lang:de,id:2", "302 http://c/"},
        {"/1234/twoatt?locatt=lang:DE", "302 http://c/"},
        {"/", "200"},
        {"/robots.txt", "200"},
        {"/favicon.ico", "200"}
    };

    @TempDir
    Path folder;

    private EmbeddedStore store;
    private HandleRecords records;
    private Redirector redirector;

    @BeforeEach
    void open() throws Exception {
        store = EmbeddedStore.open(StoreOptions.in(folder.resolve("store")));
        records = new HandleRecords(store, false);
        HomedPrefixes homes = new HomedPrefixes(store);
        homes.home(Handle.of("0.NA/1234"));
        SiteRecord site = new SiteRecord(
                2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of());
        HandleSettings settings = TestHandleSettings.of(
                site, 1, KeyPairGenerator.getInstance("RSA").generateKeyPair()).settings();
        NamespaceTemplates templates =
                new NamespaceTemplates(
                        records, RemoteResolver.NONE, TemplateSettings.of("", TEMPLATE, true), new NamespaceDetector());
        LocalResolver resolution = new LocalResolver(
                settings,
                records,
                homes,
                new AccessControl(settings, records, RemoteResolver.NONE),
                RemoteResolver.NONE,
                templates,
                InstantSource.system());
        redirector = new Redirector(
                resolution,
                new LocationSelector(Geolocation.NONE, new SplittableRandom(3)),
                RedirectorSettings.USUAL,
                InstantSource.system());
        put("1", url(1, "http://www.example.org/p"), HandleValue.of(2, "EMAIL", "m@x"), url(3, "http://second/"));
        put("LOC", url(1, "http://url/"), locations(LOCATIONS));
        put("LOCURL", locations(LOCATIONS), url(10, "http://url/"));
        put("ALIAS", HandleValue.of(1, "HS_ALIAS", "1234/1"), url(2, "http://own/"));
        put("own", url(1, "http://own/"), HandleValue.of(2, "HS_NAMESPACE", "<namespace><template delimiter='#'>"
                + "<value type='URL' data='http://ownns/${extension}|${base}'/></template></namespace>"));
        put("sp", url(1, "http://e.x/a b\"<ü>"));
        put("email", HandleValue.of(1, "EMAIL", "m@x"));
        put("a@b", url(1, "http://ab/"));
        put("emptyloc", url(1, "http://url/"), locations("<locations/>"));
        put("http_sc", locations("<locations><location href='http://a/' http_sc='303'/></locations>"));
        put("score", locations("<locations><location id='a' href='http://a/' score='1'/>"
                + "<location id='b' href='http://b/' score='2'/></locations>"));
        put("scorelow", locations("<locations chooseby='score'><location id='a' href='http://a/' score='0.1'/>"
                + "<location id='b' href='http://b/'/></locations>"));
        put("tmpl", locations("<locations><location href_template='http://a/{hdl}'/></locations>"));
        put("twoatt", locations("<locations><location id='1' lang='de' href='http://a/' weight='0'/>"
                + "<location id='2' lang='de' href='http://b/' weight='0'/><location id='3' href='http://c/'/></locations>"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static HandleValue url(int index, String url) {
        return HandleValue.of(index, "URL", url);
    }

    private static HandleValue locations(String xml) {
        return HandleValue.of(9, "10320/loc", xml);
    }

    private void put(String suffix, HandleValue... values) throws Exception {
        HandleRecord record = new HandleRecord(Handle.of("1234/" + suffix), List.of(values));
        records.change(record.handle(), (current, now) -> new RecordEdit.Next.Written(record, false));
    }

    @Test
    void browsersAreSentWhereTheGenuineServerSendsThem() {
        for (String[] each : SEEN) {
            HttpRequest request = new HttpRequest(
                    "GET",
                    each[0],
                    Map.of(),
                    new byte[0],
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 9),
                    false,
                    Optional.empty());
            HttpResponse response = redirector.answer(request);
            String location = response.headers().stream()
                    .filter(header -> header.getKey().equals("Location"))
                    .map(header -> " " + header.getValue())
                    .findFirst()
                    .orElse("");
            assertThat(response.status() + location).as(each[0]).isEqualTo(each[1]);
        }
    }
}
