package io.guidepost.handle.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operation by every kind of caller: it is done exactly for those who have the right, and else nothing changes. */
class AuthorizationTest {
    private static final Handle X = Handle.of("1234/x");
    private static final Handle PREFIX = Handle.of("0.NA/1234");

    /** One operation. */
    @FunctionalInterface
    private interface Doing {
        HandleResult by(Principal caller) throws IOException;
    }

    /** An operation, and what it needs; nothing if it is for administrators of the server. */
    private record Row(Set<AdminRight> needs, Doing doing) {}

    private TestHandleServer server;

    @BeforeEach
    void open() throws IOException {
        server = new TestHandleServer(settings -> settings.withPrefixAdmins(false), RemoteResolver.NONE);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** Whoever has this right alone. */
    private static ValueReference with(AdminRight right) {
        return new ValueReference(TestHandleServer.ADMIN, 400 + Integer.numberOfTrailingZeros(right.bit()));
    }

    /** Who has all of these. */
    private static final ValueReference EVERYTHING = new ValueReference(TestHandleServer.ADMIN, 399);

    private void reset() throws IOException {
        List<HandleValue> values = new ArrayList<>();
        for (AdminRight each : AdminRight.values()) {
            values.add(TestHandleServer.admin(with(each).index(), with(each), each.bit()));
        }
        values.add(TestHandleServer.admin(EVERYTHING.index(), EVERYTHING, AdminRight.ALL));
        server.put(PREFIX, values.toArray(HandleValue[]::new));
        values.add(TestHandleServer.url(1, "http://e.x/"));
        values.add(new HandleValue(2, "NOTE", new byte[] {1}, Permissions.SECRET, Ttl.usual(), 0, List.of()));
        server.put(X, values.toArray(HandleValue[]::new));
        server.homes.unhome(Handle.of("0.NA/5678"));
        if (server.exists("1234/new")) {
            server.records.change(Handle.of("1234/new"), (_, _) -> new RecordEdit.Next.Deleted());
        }
    }

    private Map<String, Row> rows() {
        Administration to = server.administration;
        HandleValue url = TestHandleServer.url(1, "http://other.x/");
        HandleValue more = TestHandleServer.url(3, "http://more.x/");
        HandleValue admin = TestHandleServer.admin(9, TestHandleServer.NOBODY, 1);
        HandleValue sameAdmin = TestHandleServer.admin(399, TestHandleServer.NOBODY, 1);
        Map<String, Row> rows = new LinkedHashMap<>();
        rows.put("create", new Row(EnumSet.of(AdminRight.CREATE_HANDLE), who ->
                to.create(who, Handle.of("1234/new"), List.of(url), false, false)));
        rows.put("overwrite", new Row(EnumSet.of(AdminRight.CREATE_HANDLE, AdminRight.DELETE_HANDLE), who ->
                to.create(who, X, List.of(url), true, false)));
        rows.put("mint", new Row(EnumSet.of(AdminRight.CREATE_HANDLE), who ->
                to.create(who, Handle.of("1234/m-"), List.of(url), false, true)));
        rows.put("delete", new Row(EnumSet.of(AdminRight.DELETE_HANDLE), who -> to.delete(who, X)));
        rows.put("add", new Row(EnumSet.of(AdminRight.ADD_VALUE), who -> to.add(who, X, List.of(more), false)));
        rows.put("add over", new Row(EnumSet.of(AdminRight.ADD_VALUE, AdminRight.MODIFY_VALUE), who ->
                to.add(who, X, List.of(more, url), true)));
        rows.put("add admin", new Row(EnumSet.of(AdminRight.ADD_ADMIN), who ->
                to.add(who, X, List.of(admin), false)));
        rows.put("remove", new Row(EnumSet.of(AdminRight.REMOVE_VALUE), who -> to.remove(who, X, List.of(1))));
        rows.put("remove admin", new Row(EnumSet.of(AdminRight.REMOVE_ADMIN), who -> to.remove(who, X, List.of(399))));
        rows.put("remove both", new Row(EnumSet.of(AdminRight.REMOVE_ADMIN, AdminRight.REMOVE_VALUE), who ->
                to.remove(who, X, List.of(399, 1))));
        rows.put("modify", new Row(EnumSet.of(AdminRight.MODIFY_VALUE), who -> to.modify(who, X, List.of(url))));
        rows.put("modify admin", new Row(EnumSet.of(AdminRight.MODIFY_ADMIN), who ->
                to.modify(who, X, List.of(sameAdmin))));
        rows.put("make admin", new Row(EnumSet.of(AdminRight.MODIFY_ADMIN, AdminRight.ADD_ADMIN), who ->
                to.modify(who, X, List.of(TestHandleServer.admin(1, TestHandleServer.NOBODY, 1)))));
        rows.put("unmake admin", new Row(EnumSet.of(AdminRight.MODIFY_ADMIN, AdminRight.REMOVE_ADMIN), who ->
                to.modify(who, X, List.of(TestHandleServer.url(399, "http://e.x/")))));
        rows.put("list", new Row(EnumSet.of(AdminRight.LIST_HANDLES), who -> to.list(who, PREFIX, null, _ -> true)));
        rows.put("read", new Row(EnumSet.of(AdminRight.READ_VALUE), who ->
                new LocalResolver(server.settings, server.records, server.homes, server.rights, RemoteResolver.NONE,
                                RecordTemplates.NONE,
                                InstantSource.system())
                        .resolve(new ResolveRequest(X, List.of(2), List.of(), false, false, false, 0), who)));
        rows.put("derive", new Row(EnumSet.of(AdminRight.ADD_DERIVED_PREFIX), who -> {
            server.homes.home(Handle.of("0.NA/0.NA"));
            return to.create(who, Handle.of("0.NA/1234.5"), List.of(url), false, false);
        }));
        rows.put("home", new Row(Set.of(), who -> to.home(who, Handle.of("0.NA/5678"))));
        rows.put("unhome", new Row(Set.of(), who -> to.unhome(who, PREFIX)));
        rows.put("homed", new Row(Set.of(), who -> to.homed(who, _ -> true)));
        return rows;
    }

    private List<Object> state() throws IOException {
        List<Object> all = new ArrayList<>();
        server.records.scan(new byte[0], null, all::add);
        all.addAll(server.homes.all());
        return all;
    }

    private void refused(String what, Row row, Principal caller, ResponseCode code) throws IOException {
        List<Object> before = state();
        HandleResult outcome = row.doing.by(caller);
        assertThat(outcome.code()).as(what + " by " + caller).isEqualTo(code);
        assertThat(outcome.values()).isEmpty();
        List<Object> after = state();
        after.remove("0.NA/0.NA");
        before.remove("0.NA/0.NA");
        assertThat(after).as(what + " by " + caller).isEqualTo(before);
    }

    @Test
    void nothingIsDoneForThoseWithoutTheRight() throws IOException {
        reset();
        Principal.Proof wrong = () -> ResponseCode.AUTHENTICATION_FAILED;
        for (Map.Entry<String, Row> each : rows().entrySet()) {
            Row row = each.getValue();
            boolean server = row.needs.isEmpty();
            refused(each.getKey(), row, Principal.ANONYMOUS, ResponseCode.CHALLENGE);
            // The proof of whoever is no administrator is not even looked at.
            ResponseCode stranger = ResponseCode.NOT_ADMIN;
            refused(each.getKey(), row, new Principal.Proven(TestHandleServer.NOBODY), stranger);
            refused(each.getKey(), row, new Principal.Claimed(TestHandleServer.NOBODY, () -> {
                throw new AssertionError("the proof was looked at");
            }), stranger);
            ValueReference full = server ? TestHandleServer.RSA : EVERYTHING;
            refused(each.getKey(), row, new Principal.Claimed(full, wrong), ResponseCode.AUTHENTICATION_FAILED);
            for (AdminRight right : AdminRight.values()) {
                if (!row.needs.equals(Set.of(right))) {
                    Principal caller = new Principal.Proven(with(right));
                    refused(each.getKey(), row, caller,
                            server ? ResponseCode.NOT_ADMIN : ResponseCode.NOT_PERMITTED);
                }
            }
        }
    }

    @Test
    void everythingIsDoneForThoseWithTheRight() throws IOException {
        for (String name : rows().keySet()) {
            reset();
            Row row = rows().get(name);
            ValueReference who = switch (row.needs.size()) {
                case 0 -> TestHandleServer.RSA;
                case 1 -> with(row.needs.iterator().next());
                default -> EVERYTHING;
            };
            HandleResult outcome = row.doing.by(new Principal.Claimed(who, () -> ResponseCode.SUCCESS));
            assertThat(outcome.code()).as(name).isEqualTo(ResponseCode.SUCCESS);
            if (name.equals("unhome")) {
                server.homes.home(PREFIX);
            }
        }
    }

    @Test
    void administratorsOfThePrefixAreThoseOfItsHandles() throws IOException {
        try (TestHandleServer other = new TestHandleServer()) {
            other.put(X, TestHandleServer.url(1, "http://e.x/"));
            Principal caller = new Principal.Proven(TestHandleServer.RSA);
            assertThat(other.administration.modify(caller, X, List.of(TestHandleServer.url(1, "http://o.x/"))).code())
                    .isEqualTo(ResponseCode.SUCCESS);
            assertThat(other.administration.delete(caller, X).code()).isEqualTo(ResponseCode.SUCCESS);
        }
        server.put(X, TestHandleServer.url(1, "http://e.x/"));
        assertThat(server.administration.delete(new Principal.Proven(TestHandleServer.RSA), X).code())
                .isEqualTo(ResponseCode.NOT_ADMIN);
    }

    @Test
    void administratorsOfTheServerHaveEverythingIfTheSettingsSaySo() throws IOException {
        for (boolean full : new boolean[] {false, true}) {
            try (TestHandleServer other = new TestHandleServer(
                    settings -> settings.withServerAdmins(List.of(TestHandleServer.GROUP)).withServerAdminFullAccess(full),
                    RemoteResolver.NONE)) {
                other.put(PREFIX, TestHandleServer.url(1, "http://e.x/"));
                other.put(X, TestHandleServer.url(1, "http://e.x/"));
                Principal caller = new Principal.Proven(TestHandleServer.SECRET);
                assertThat(other.administration.delete(caller, X).code())
                        .isEqualTo(full ? ResponseCode.SUCCESS : ResponseCode.NOT_ADMIN);
                assertThat(other.administration.create(caller, X, List.of(TestHandleServer.url(1, "a:b")), true, false).code())
                        .isEqualTo(full ? ResponseCode.SUCCESS : ResponseCode.NOT_ADMIN);
            }
        }
    }

    @Test
    void aValueWhoseAdministratorsMayNotWriteItStays() throws IOException {
        HandleValue locked = new HandleValue(
                1, "URL", new byte[] {1}, new Permissions(0b1010), Ttl.usual(), 0, List.of());
        server.put(X, locked, TestHandleServer.admin(399, EVERYTHING, AdminRight.ALL));
        Principal caller = new Principal.Proven(EVERYTHING);
        HandleRecord before = server.record("1234/x");
        List<HandleValue> url = List.of(TestHandleServer.url(1, "http://o.x/"));
        assertThat(server.administration.modify(caller, X, url).code()).isEqualTo(ResponseCode.NOT_PERMITTED);
        assertThat(server.administration.add(caller, X, url, true).code()).isEqualTo(ResponseCode.NOT_PERMITTED);
        assertThat(server.administration.remove(caller, X, List.of(1)).code()).isEqualTo(ResponseCode.NOT_PERMITTED);
        assertThat(server.administration.remove(Principal.ANONYMOUS, X, List.of(1)).code())
                .isEqualTo(ResponseCode.CHALLENGE);
        assertThat(server.record("1234/x")).isEqualTo(before);
    }

    @Test
    void aValueForEverybodyToWriteIsChangedByAnyoneAndStaysWhatItIs() throws IOException {
        Permissions open = new Permissions(0b1111);
        HandleValue counter = new HandleValue(1, "COUNT", new byte[] {1}, open, Ttl.usual(), 0, List.of());
        HandleValue admin = new HandleValue(
                2, "HS_ADMIN", TestHandleServer.admin(2, EVERYTHING, 1).data(), open, Ttl.usual(), 0, List.of());
        server.put(X, counter, admin, TestHandleServer.admin(399, EVERYTHING, AdminRight.ALL));
        HandleValue next = new HandleValue(1, "COUNT", new byte[] {2}, open, Ttl.usual(), 0, List.of());
        assertThat(server.administration.modify(Principal.ANONYMOUS, X, List.of(next)).code())
                .isEqualTo(ResponseCode.SUCCESS);
        assertThat(server.record("1234/x").value(1).orElseThrow().data()).containsExactly(2);
        for (HandleValue each : List.of(
                new HandleValue(1, "HS_SECKEY", new byte[] {2}, open, Ttl.usual(), 0, List.of()),
                new HandleValue(1, "COUNT", new byte[] {3}, Permissions.USUAL, Ttl.usual(), 0, List.of()),
                new HandleValue(
                        2,
                        "HS_ADMIN",
                        TestHandleServer.admin(2, TestHandleServer.NOBODY, 0xfff).data(),
                        open,
                        Ttl.usual(),
                        0,
                        List.of()))) {
            assertThat(server.administration.modify(Principal.ANONYMOUS, X, List.of(each)).code())
                    .isEqualTo(ResponseCode.CHALLENGE);
        }
        // One that is open does not open another.
        assertThat(server.administration
                        .modify(Principal.ANONYMOUS, X, List.of(next, TestHandleServer.admin(399, TestHandleServer.NOBODY, 1)))
                        .code())
                .isEqualTo(ResponseCode.CHALLENGE);
        assertThat(server.administration.add(Principal.ANONYMOUS, X, List.of(next), true).code())
                .isEqualTo(ResponseCode.CHALLENGE);
    }
}
