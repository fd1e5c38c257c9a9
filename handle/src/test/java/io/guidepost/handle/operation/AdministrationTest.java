package io.guidepost.handle.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.service.TestHandleServer;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is checked before rights are, in which order; what is written; and what several who write at once make of it. */
class AdministrationTest {
    private static final Handle X = Handle.of("1234/x");
    private static final Principal ADMIN = new Principal.Proven(TestHandleServer.RSA);
    private static final HandleValue URL = TestHandleServer.url(1, "http://e.x/");

    private TestHandleServer server;
    private Administration administration;

    @BeforeEach
    void open() throws IOException {
        server = new TestHandleServer();
        administration = server.administration;
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static Handle raw(int... bytes) throws Malformed {
        byte[] handle = new byte[4 + bytes.length];
        handle[3] = (byte) bytes.length;
        for (int i = 0; i < bytes.length; i++) {
            handle[4 + i] = (byte) bytes[i];
        }
        return new WireReader(handle).handle();
    }

    private ResponseCode create(Principal caller, Handle handle, HandleValue... values) throws IOException {
        return administration.create(caller, handle, List.of(values), false, false).code();
    }

    @Test
    void theChecksOfCreateAreInOrder() throws IOException, Malformed {
        server.put(X, URL);
        // Each has all faults that come later, too.
        assertThat(create(Principal.ANONYMOUS, raw('9', '/', 0xff), TestHandleServer.url(-1, ""), TestHandleServer.url(-1, "")))
                .isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        assertThat(create(
                        Principal.ANONYMOUS,
                        raw('1', '2', '3', '4', '/', 0xff),
                        TestHandleServer.url(-1, ""),
                        TestHandleServer.url(-1, "")))
                .isEqualTo(ResponseCode.INVALID_HANDLE);
        assertThat(create(Principal.ANONYMOUS, X, TestHandleServer.url(0, ""), TestHandleServer.url(0, "")))
                .isEqualTo(ResponseCode.INVALID_VALUE);
        assertThat(create(Principal.ANONYMOUS, X)).isEqualTo(ResponseCode.INVALID_VALUE);
        assertThat(create(Principal.ANONYMOUS, X, URL, URL)).isEqualTo(ResponseCode.VALUE_EXISTS);
        assertThat(create(Principal.ANONYMOUS, Handle.of("1234/X"), URL)).isEqualTo(ResponseCode.HANDLE_EXISTS);
        assertThat(create(Principal.ANONYMOUS, Handle.of("1234/y"), URL)).isEqualTo(ResponseCode.CHALLENGE);
    }

    @Test
    void theChecksOfChangesAreInOrder() throws IOException {
        Handle none = Handle.of("1234/none");
        for (Function<Handle, Callable<HandleResult>> each : List.<Function<Handle, Callable<HandleResult>>>of(
                handle -> () -> administration.add(Principal.ANONYMOUS, handle, List.of(URL), false),
                handle -> () -> administration.modify(Principal.ANONYMOUS, handle, List.of(URL)),
                handle -> () -> administration.remove(Principal.ANONYMOUS, handle, List.of(1)))) {
            assertThat(code(each.apply(Handle.of("9/x")))).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
            assertThat(code(each.apply(none))).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
        }
        assertThat(administration.delete(Principal.ANONYMOUS, none).code()).isEqualTo(ResponseCode.CHALLENGE);
        assertThat(administration.delete(ADMIN, none).code()).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
        server.put(X, URL);
        assertThat(administration.add(Principal.ANONYMOUS, X, List.of(), false).code())
                .isEqualTo(ResponseCode.INVALID_VALUE);
        assertThat(administration.add(ADMIN, X, List.of(URL), false).code()).isEqualTo(ResponseCode.VALUE_EXISTS);
        assertThat(administration.modify(ADMIN, X, List.of(TestHandleServer.url(2, ""))).code())
                .isEqualTo(ResponseCode.VALUES_NOT_FOUND);
        assertThat(administration.remove(ADMIN, X, List.of(1, 2)).code()).isEqualTo(ResponseCode.VALUES_NOT_FOUND);
        assertThat(administration.remove(Principal.ANONYMOUS, X, List.of()).code())
                .isEqualTo(ResponseCode.INVALID_VALUE);
        assertThat(administration.remove(ADMIN, X, List.of(1)).code()).isEqualTo(ResponseCode.INVALID_VALUE);
        assertThat(server.exists("1234/x")).isTrue();
        assertThat(administration.home(ADMIN, X).code()).isEqualTo(ResponseCode.INVALID_HANDLE);
        assertThat(administration.unhome(ADMIN, Handle.of("0.NA/none")).code())
                .isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        assertThat(administration.list(ADMIN, Handle.of("0.NA/9"), null, _ -> true).code())
                .isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        assertThat(administration.list(ADMIN, X, null, _ -> true).code()).isEqualTo(ResponseCode.INVALID_HANDLE);
    }

    @Test
    void onlyAdministratorsLearnWhichIndexesThereAre() throws IOException {
        HandleValue secret = new HandleValue(2, "NOTE", new byte[] {1}, Permissions.SECRET, Ttl.usual(), 0, List.of());
        server.put(X, URL, secret);
        Principal stranger = new Principal.Proven(new ValueReference(TestHandleServer.ADMIN, 310));
        Principal wrong = new Principal.Claimed(TestHandleServer.RSA, () -> ResponseCode.AUTHENTICATION_FAILED);
        for (Principal caller : List.of(Principal.ANONYMOUS, stranger, wrong)) {
            HandleResult refused = administration.remove(caller, X, List.of(77));
            assertThat(refused.code()).isIn(ResponseCode.CHALLENGE, ResponseCode.NOT_ADMIN, ResponseCode.AUTHENTICATION_FAILED);
            for (int index : List.of(1, 2, 77)) {
                List<HandleValue> values = List.of(TestHandleServer.url(index, "http://o.x/"));
                assertThat(administration.add(caller, X, values, false)).as(caller + ", " + index).isEqualTo(refused);
                assertThat(administration.add(caller, X, values, true)).isEqualTo(refused);
                assertThat(administration.modify(caller, X, values)).isEqualTo(refused);
                assertThat(administration.remove(caller, X, List.of(index))).isEqualTo(refused);
            }
        }
    }

    private static ResponseCode code(Callable<HandleResult> doing) {
        try {
            return doing.call().code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theServersClockStampsWhatChanged() throws IOException {
        long first = server.millis.get() / 1000;
        assertThat(create(ADMIN, X, URL.changedAt(5), TestHandleServer.url(2, "http://b.x/").changedAt(6)))
                .isEqualTo(ResponseCode.SUCCESS);
        assertThat(server.record("1234/x").values()).extracting(HandleValue::changedSeconds).containsOnly(first);
        server.millis.addAndGet(10_000);
        HandleResult again = administration.create(
                ADMIN, X, List.of(URL, TestHandleServer.url(2, "http://c.x/")), true, false);
        assertThat(again.replaced()).isTrue();
        assertThat(server.record("1234/x").values())
                .extracting(HandleValue::changedSeconds)
                .containsExactly(first, first + 10);
        server.millis.addAndGet(10_000);
        HandleResult added = administration.add(ADMIN, X, List.of(URL, TestHandleServer.url(3, "http://d.x/")), true);
        assertThat(added.replaced()).isTrue();
        assertThat(administration.modify(ADMIN, X, List.of(TestHandleServer.url(2, "http://c.x/"))).replaced()).isFalse();
        assertThat(server.record("1234/x").values())
                .extracting(HandleValue::changedSeconds)
                .containsExactly(first, first + 10, first + 20);
    }

    @Test
    void aSuffixIsMinted() throws IOException {
        HandleResult made = administration.create(ADMIN, Handle.of("1234/a-"), List.of(URL), false, true);
        assertThat(made.handle().toString())
                .matches("1234/a-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(server.exists(made.handle().toString())).isTrue();
        Handle longest = Handle.of("1234/" + "x".repeat(HandleLimits.HANDLE_BYTES_MAX - 5 - 36));
        assertThat(administration.create(ADMIN, longest, List.of(URL), false, true).handle().length())
                .isEqualTo(HandleLimits.HANDLE_BYTES_MAX);
        assertThat(administration.create(ADMIN, Handle.of(longest + "x"), List.of(URL), false, true).code())
                .isEqualTo(ResponseCode.INVALID_HANDLE);
    }

    @Test
    void aRecordThatNoMessageHoldsIsRefused() throws IOException {
        HandleValue half = HandleValue.of(1, "DATA", new byte[130_000]);
        HandleValue other = HandleValue.of(2, "DATA", new byte[130_000]);
        assertThat(create(ADMIN, X, half)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(administration.add(ADMIN, X, List.of(other), false).code()).isEqualTo(ResponseCode.INVALID_VALUE);
        assertThat(server.record("1234/x").values()).hasSize(1);
        List<HandleValue> many = new ArrayList<>();
        for (int i = 2; i <= 2048; i++) {
            many.add(TestHandleServer.url(i, ""));
        }
        assertThat(administration.add(ADMIN, X, many, false).code()).isEqualTo(ResponseCode.SUCCESS);
        assertThat(administration.add(ADMIN, X, List.of(TestHandleServer.url(2049, "")), false).code())
                .isEqualTo(ResponseCode.INVALID_VALUE);
    }

    @Test
    void aRecordIsCountedToItsLastByte() {
        ValueReference to = new ValueReference(X, 1);
        // Bytes of a handle, of two values but for their data, of a type, and of a reference.
        int data = RecordSize.RECORD_BYTES_MAX - 6 - 2 * HandleValue.BYTES_MIN - 3 * 4 - 3 * 1 - (8 + 6);
        for (int more = 0; more < 2; more++) {
            HandleValue one = new HandleValue(1, "DATA", new byte[data - 5 + more], Permissions.USUAL, Ttl.usual(), 0, List.of(to));
            HandleValue other = HandleValue.of(2, "D", new byte[5]);
            assertThat(RecordSize.fits(new HandleRecord(X, List.of(one, other)))).isEqualTo(more == 0);
        }
    }

    @Test
    void anIndexIsPositive() throws IOException {
        assertThat(create(ADMIN, X, TestHandleServer.url(1, ""), TestHandleServer.url(Integer.MAX_VALUE, "")))
                .isEqualTo(ResponseCode.SUCCESS);
        for (int index : new int[] {0, -1, Integer.MIN_VALUE}) {
            HandleResult refused = administration.add(ADMIN, X, List.of(TestHandleServer.url(index, "")), true);
            assertThat(refused.code()).isEqualTo(ResponseCode.INVALID_VALUE);
            assertThat(refused.text()).contains("not " + Integer.toUnsignedString(index));
        }
    }

    @Test
    void whoeverChangesARecordAllTheTimeKeepsOthersOut() throws IOException {
        int[] asked = {0};
        TestHandleServer[] itself = {server};
        RemoteResolver restless = new RemoteResolver() {
            @Override
            public Optional<HandleResult> resolve(ResolveRequest question) throws IOException {
                itself[0].put(X, TestHandleServer.url(1, "http://" + asked[0]++), TestHandleServer.admin(100, GROUP, AdminRight.ALL));
                IdentityList members = new IdentityList(List.of(TestHandleServer.RSA));
                return Optional.of(HandleResult.found(question.handle(), List.of(HandleValue.of(4, "HS_VLIST", members.write()))));
            }

            @Override
            public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
                return Optional.empty();
            }
        };
        try (TestHandleServer busy = new TestHandleServer(settings -> settings.withPrefixAdmins(false), restless)) {
            itself[0] = busy;
            busy.put(X, URL, TestHandleServer.admin(100, GROUP, AdminRight.ALL));
            HandleResult refused = busy.administration.modify(ADMIN, X, List.of(TestHandleServer.url(1, "http://mine.x/")));
            assertThat(refused.code()).isEqualTo(ResponseCode.BUSY);
            assertThat(asked[0]).isEqualTo(64);
        }
    }

    private static final ValueReference GROUP = new ValueReference(Handle.of("55/group"), 4);

    @Test
    void onlyAPrefixIsMadeAtHome() throws IOException, Malformed {
        for (Handle each : List.of(X, Handle.of("0.NA/"), raw('0', '.', 'N', 'A', '/', 0xff))) {
            assertThat(administration.home(ADMIN, each).code()).as(each.toString()).isEqualTo(ResponseCode.INVALID_HANDLE);
            assertThat(administration.list(ADMIN, each, null, _ -> true).success()).isFalse();
        }
        assertThat(administration.home(Principal.ANONYMOUS, Handle.of("0.NA/9")).code()).isEqualTo(ResponseCode.CHALLENGE);
        HandleResult known = administration.homed(ADMIN, _ -> false);
        assertThat(known.success()).isTrue();
        assertThat(known.handle()).isEqualTo(Handle.SLASH);
        List<Handle> first = new ArrayList<>();
        administration.home(ADMIN, Handle.of("0.NA/9"));
        administration.homed(ADMIN, each -> {
            first.add(each);
            return false;
        });
        assertThat(first).hasSize(1);
    }

    @Test
    void handlesAreListedAsTheyWereSpelled() throws IOException {
        server.put(Handle.of("1234/b"), URL);
        server.put(Handle.of("1234/A"), URL);
        server.put(Handle.of("12345/a"), URL);
        List<Handle> all = new ArrayList<>();
        assertThat(administration.list(ADMIN, Handle.of("0.na/1234"), null, all::add).success()).isTrue();
        assertThat(all).extracting(Handle::toString).containsExactly("1234/A", "1234/ADMIN", "1234/b");
        all.clear();
        administration.list(ADMIN, Handle.of("0.NA/1234"), Handle.of("1234/a"), all::add);
        assertThat(all).extracting(Handle::toString).containsExactly("1234/ADMIN", "1234/b");
        all.clear();
        administration.list(ADMIN, Handle.of("0.NA/1234"), null, each -> {
            all.add(each);
            return false;
        });
        assertThat(all).hasSize(1);
    }

    @Test
    void prefixesAreAtHomeFromTheStartAndByRequest() throws IOException {
        assertThat(administration.home(ADMIN, Handle.of("0.na/ab")).success()).isTrue();
        assertThat(administration.home(ADMIN, Handle.of("0.NA/AB")).success()).isTrue();
        List<Handle> all = new ArrayList<>();
        assertThat(administration.homed(ADMIN, all::add).success()).isTrue();
        assertThat(all).extracting(Handle::toString).containsExactly("0.NA/1234", "0.NA/AB");
        assertThat(administration.unhome(ADMIN, Handle.of("0.NA/1234")).success()).isTrue();
        assertThat(create(ADMIN, X, URL)).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        assertThat(administration.home(ADMIN, Handle.of("0.NA/1234")).success()).isTrue();
        assertThat(create(ADMIN, X, URL)).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void whoMayChangeNothingIsTold() throws IOException {
        try (TestHandleServer mirror = new TestHandleServer(
                settings -> settings.withReadOnly(true).withListing(false), RemoteResolver.NONE)) {
            Administration to = mirror.administration;
            for (HandleResult each : List.of(
                    to.create(ADMIN, X, List.of(URL), false, false),
                    to.delete(ADMIN, TestHandleServer.ADMIN),
                    to.add(ADMIN, TestHandleServer.ADMIN, List.of(URL), false),
                    to.remove(ADMIN, TestHandleServer.ADMIN, List.of(100)),
                    to.modify(ADMIN, TestHandleServer.ADMIN, List.of(URL)),
                    to.home(ADMIN, Handle.of("0.NA/9")),
                    to.unhome(ADMIN, Handle.of("0.NA/1234")))) {
                assertThat(each.code()).isEqualTo(ResponseCode.READ_ONLY);
            }
            assertThat(to.list(ADMIN, Handle.of("0.NA/1234"), null, _ -> true).code())
                    .isEqualTo(ResponseCode.OPERATION_NOT_SUPPORTED);
        }
    }

    @Test
    void theHandlesOfOtherServersOfTheSiteAreTheirs() throws IOException {
        SiteRecord one = TestHandleServer.site(TestHandleServer.SERVER_KEYS.getPublic(), 2641);
        SiteServer first = one.servers().getFirst();
        SiteServer second = new SiteServer(2, first.address(), first.publicKey(), first.interfaces());
        SiteRecord two = new SiteRecord(
                2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(first, second));
        try (TestHandleServer half = new TestHandleServer(
                settings -> settings.withSite(two, 2),
                RemoteResolver.NONE)) {
            int here = 0;
            for (int i = 0; i < 50; i++) {
                Handle handle = Handle.of("1234/h" + i);
                ResponseCode code =
                        half.administration.create(ADMIN, handle, List.of(URL), false, false).code();
                boolean own = two.serverOf(handle) == 1;
                assertThat(code).isEqualTo(own ? ResponseCode.SUCCESS : ResponseCode.NOT_RESPONSIBLE);
                here += own ? 1 : 0;
            }
            assertThat(here).isBetween(10, 40);
        }
    }

    /** One who takes a right away waits for nobody: whoever was judged before is judged again. */
    @Test
    void rightsThatGoWhileTheyAreLookedAtAreGone() throws IOException {
        server.put(X, URL, TestHandleServer.admin(100, TestHandleServer.SECRET, AdminRight.ALL));
        Principal slow = new Principal.Claimed(TestHandleServer.SECRET, () -> {
            server.put(X, URL, TestHandleServer.admin(100, TestHandleServer.RSA, AdminRight.ALL));
            return ResponseCode.SUCCESS;
        });
        assertThat(administration.modify(slow, X, List.of(TestHandleServer.url(1, "http://evil.x/"))).code())
                .isEqualTo(ResponseCode.NOT_ADMIN);
        byte[] data = server.record("1234/x").value(1).orElseThrow().data();
        assertThat(new String(data, StandardCharsets.UTF_8)).isEqualTo("http://e.x/");
    }

    @Test
    void everyChangeOfManyAtOnceIsMade() throws Exception {
        server.put(X, URL);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HandleResult>> all = new ArrayList<>();
            for (int i = 2; i < 34; i++) {
                HandleValue value = TestHandleServer.url(i, "http://e.x/" + i);
                all.add(threads.submit(() -> administration.add(ADMIN, X, List.of(value), false)));
            }
            for (Future<HandleResult> each : all) {
                assertThat(each.get().code()).isEqualTo(ResponseCode.SUCCESS);
            }
        }
        assertThat(server.record("1234/x").values()).hasSize(33);
    }
}
