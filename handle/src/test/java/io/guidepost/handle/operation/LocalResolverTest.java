package io.guidepost.handle.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalResolverTest {
    private static final ValueReference ADMIN = new ValueReference(Handle.of("1234/ADMIN"), 301);
    private static final ValueReference OTHER = new ValueReference(Handle.of("1234/OTHER"), 301);
    private static final ValueReference NO_READER = new ValueReference(Handle.of("1234/WRITER"), 301);

    private final EmbeddedStore store = EmbeddedStore.open(StoreOptions.inMemory());
    private final HandleRecords records = new HandleRecords(store, false);
    private HomedPrefixes homes = new HomedPrefixes(store);
    private final List<ResolveRequest> asked = new ArrayList<>();
    private RecordTemplates templates = RecordTemplates.NONE;
    private TestHandleSettings settings = TestHandleSettings.of(site(1), 1, keys()).withPrefixAdmins(false);
    private Optional<HandleResult> remote = Optional.empty();
    private boolean silent;

    LocalResolverTest() throws IOException {
        homes.home(Handle.of("0.NA/1234"));
        homes.home(Handle.of("0.NA/0.NA"));
        put(
                "1234/some",
                HandleValue.of(1, "URL", "http://e.x/"),
                new HandleValue(2, "NOTE", new byte[] {1}, Permissions.SECRET, Ttl.usual(), 5, List.of()),
                new HandleValue(3, "LOST", new byte[] {1}, new Permissions(4), Ttl.usual(), 5, List.of()),
                admin(100, ADMIN, AdminRight.ALL),
                admin(101, NO_READER, AdminRight.MODIFY_VALUE.bit()));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static HandleValue admin(int index, ValueReference who, int rights) {
        return HandleValue.of(index, "HS_ADMIN", new AdminRecord(rights, who).write());
    }

    private static SiteRecord site(int servers) {
        return new SiteRecord(
                2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(),
                IntStream.rangeClosed(1, servers)
                        .mapToObj(id -> new SiteServer(id, new byte[16], new byte[0], List.<SiteInterface>of()))
                        .toList());
    }

    private static KeyPair keys() {
        try {
            return KeyPairGenerator.getInstance("RSA").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private void put(String handle, HandleValue... values) throws IOException {
        HandleRecord record = new HandleRecord(Handle.of(handle), List.of(values));
        records.change(Handle.of(handle), (_, _) -> new RecordEdit.Next.Written(record, false));
    }

    private HandleResult ask(ResolveRequest question, Principal caller) throws IOException {
        RemoteResolver others = new RemoteResolver() {
            @Override
            public Optional<HandleResult> resolve(ResolveRequest passed) throws IOException {
                asked.add(passed);
                if (silent) {
                    throw new IOException("it does not answer");
                }
                return remote;
            }

            @Override
            public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
                return Optional.empty();
            }
        };
        AccessControl rights = new AccessControl(settings.settings(), records, RemoteResolver.NONE);
        return new LocalResolver(settings.settings(), records, homes, rights, others, templates, InstantSource.system())
                .resolve(question, caller);
    }

    private HandleResult ask(String handle) throws IOException {
        return ask(ResolveRequest.ofAll(Handle.of(handle)), Principal.ANONYMOUS);
    }

    private ResponseCode read(Principal caller, Integer... indexes) throws IOException {
        return ask(new ResolveRequest(Handle.of("1234/some"), List.of(indexes), List.of(), false, false, false, 0), caller)
                .code();
    }

    private static Principal claimed(ValueReference who, ResponseCode proof) {
        return new Principal.Claimed(who, () -> proof);
    }

    @Test
    void whatIsNotForEverybodyIsForThoseWithTheRight() throws IOException {
        assertThat(read(Principal.ANONYMOUS, 1)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(read(Principal.ANONYMOUS, 1, 2)).isEqualTo(ResponseCode.CHALLENGE);
        assertThat(read(new Principal.Proven(ADMIN), 1, 2)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(read(new Principal.Proven(OTHER), 2)).isEqualTo(ResponseCode.NOT_ADMIN);
        assertThat(read(new Principal.Proven(NO_READER), 2)).isEqualTo(ResponseCode.NOT_PERMITTED);
        assertThat(read(claimed(ADMIN, ResponseCode.SUCCESS), 2)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(read(claimed(ADMIN, ResponseCode.AUTHENTICATION_FAILED), 2))
                .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(read(claimed(OTHER, ResponseCode.AUTHENTICATION_FAILED), 2)).isEqualTo(ResponseCode.NOT_ADMIN);
    }

    private HandleResult read(Principal caller, List<Integer> indexes, List<String> types) throws IOException {
        return ask(new ResolveRequest(Handle.of("1234/some"), indexes, types, false, false, false, 0), caller);
    }

    @Test
    void valuesWithoutPublicReadAreLikeAbsentOnes() throws IOException {
        List<Principal> callers = List.of(
                Principal.ANONYMOUS,
                new Principal.Proven(OTHER),
                new Principal.Proven(NO_READER),
                claimed(ADMIN, ResponseCode.AUTHENTICATION_FAILED));
        for (Principal each : callers) {
            HandleResult absent = read(each, List.of(77), List.of());
            assertThat(absent.success()).as(each.toString()).isFalse();
            for (int index : List.of(2, 3)) {
                assertThat(read(each, List.of(index), List.of())).as(each + ", " + index).isEqualTo(absent);
                assertThat(read(each, List.of(1, index), List.of())).isEqualTo(read(each, List.of(1, 77), List.of()));
            }
            for (String type : List.of("NOTE", "lost", "NOTE.")) {
                assertThat(read(each, List.of(), List.of(type))).as(each + ", " + type).isEqualTo(absent);
                assertThat(read(each, List.of(), List.of("URL", type))).isEqualTo(read(each, List.of(), List.of("URL", "NONE")));
            }
        }
        assertThat(read(new Principal.Proven(ADMIN), List.of(77), List.of()).code()).isEqualTo(ResponseCode.VALUES_NOT_FOUND);
    }

    @Test
    void aPrivateValueBesidePublicOnesOfItsTypeIsLikeAbsent() throws IOException {
        HandleValue open = HandleValue.of(1, "NOTE", "for all");
        put("1234/both", open, new HandleValue(2, "NOTE", new byte[] {1}, Permissions.SECRET, Ttl.usual(), 5, List.of()),
                admin(100, ADMIN, AdminRight.ALL));
        ResolveRequest notes = new ResolveRequest(Handle.of("1234/both"), List.of(), List.of("NOTE"), false, false, false, 0);
        assertThat(ask(notes, Principal.ANONYMOUS).values()).containsExactly(open);
        assertThat(ask(notes, new Principal.Proven(OTHER)).values()).containsExactly(open);
        assertThat(ask(notes, new Principal.Proven(ADMIN)).values()).hasSize(2);
    }

    @Test
    void whatNobodyMayReadIsRefusedToAdministratorsToo() throws IOException {
        assertThat(read(new Principal.Proven(ADMIN), 3)).isEqualTo(ResponseCode.NOT_PERMITTED);
        assertThat(read(new Principal.Proven(ADMIN))).isEqualTo(ResponseCode.NOT_PERMITTED);
    }

    @Test
    void delegatedPrefixesAreReferred() throws IOException {
        put("0.NA/20", HandleValue.of(1, "HS_NA_DELEGATE", "a site"), HandleValue.of(2, "DESC", "x"));
        HandleResult referral = ask("0.NA/20.5.1");
        assertThat(referral.code()).isEqualTo(ResponseCode.PREFIX_REFERRAL);
        assertThat(referral.handle()).isEqualTo(Handle.NONE);
        assertThat(referral.values()).extracting(HandleValue::index).containsExactly(1);
        assertThat(ask("20.5/x").code()).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        ResolveRequest stays =
                new ResolveRequest(Handle.of("0.NA/20.5"), List.of(), List.of(), true, true, false, 0);
        assertThat(ask(stays, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
    }

    @Test
    void othersAreAskedOnlyIfThatIsWantedAndSet() throws IOException {
        Handle far = Handle.of("99/x");
        ResolveRequest recursive = new ResolveRequest(far, List.of(1), List.of("URL"), true, false, true, 3);
        remote = Optional.of(HandleResult.found(far, List.of(HandleValue.of(1, "URL", "u"))));
        assertThat(ask(recursive, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        settings = settings.withRecursion(true);
        assertThat(ask("99/x").code()).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        assertThat(asked).isEmpty();
        assertThat(ask(recursive, Principal.ANONYMOUS).values()).hasSize(1);
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().recursionCount()).isEqualTo(4);
        assertThat(asked.getFirst().indexes()).containsExactly(1);
        remote = Optional.empty();
        assertThat(ask(recursive, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
    }

    @Test
    void aCircleOfServersEnds() throws IOException {
        settings = settings.withRecursion(true);
        ResolveRequest tired = new ResolveRequest(
                Handle.of("99/x"), List.of(), List.of(), true, false, true, LocalResolver.RECURSION_MAX);
        assertThat(ask(tired, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.RECURSION_LIMIT);
        assertThat(asked).isEmpty();
    }

    @Test
    void aServerOfSeveralAnswersForItsShareAlone() throws IOException {
        settings = TestHandleSettings.of(site(3), 2, keys());
        int mine = 0;
        for (int i = 0; i < 300; i++) {
            ResponseCode code = ask("1234/" + i).code();
            assertThat(code).isIn(ResponseCode.HANDLE_NOT_FOUND, ResponseCode.NOT_RESPONSIBLE);
            mine += code == ResponseCode.HANDLE_NOT_FOUND ? 1 : 0;
        }
        assertThat(mine).isBetween(60, 140);
    }

    @Test
    void templatesMakeWhatIsNotThere() throws IOException {
        templates = handle -> Optional.of(new HandleRecord(handle, List.of(HandleValue.of(1, "URL", "made"))));
        assertThat(ask("1234/none").values()).hasSize(1);
        assertThat(ask("1234/some").values()).extracting(HandleValue::index).containsExactly(1, 100, 101);
    }

    @Test
    void theStatusIsForThoseWhoAreNamed() throws IOException {
        ResolveRequest status = new ResolveRequest(Handle.of("0.site/STATUS"), List.of(), List.of(), false, false, false, 0);
        assertThat(ask("0.SITE/status").code()).isEqualTo(ResponseCode.VALUES_NOT_FOUND);
        assertThat(ask(status, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.CHALLENGE);
        assertThat(ask(status, new Principal.Proven(ADMIN)).code()).isEqualTo(ResponseCode.NOT_ADMIN);
        settings = settings.withStatusAdmins(List.of(ADMIN));
        assertThat(ask(status, new Principal.Proven(ADMIN)).values()).hasSize(3);
        assertThat(ask(status, claimed(ADMIN, ResponseCode.AUTHENTICATION_FAILED)).code())
                .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
    }

    @Test
    void theLastServerOfAChainIsAsked() throws IOException {
        settings = settings.withRecursion(true);
        remote = Optional.of(HandleResult.done(Handle.of("99/x")));
        ResolveRequest last = new ResolveRequest(
                Handle.of("99/x"), List.of(), List.of("URL"), false, true, true, LocalResolver.RECURSION_MAX - 1);
        assertThat(ask(last, Principal.ANONYMOUS).success()).isTrue();
        assertThat(asked).containsExactly(new ResolveRequest(
                Handle.of("99/x"), List.of(), List.of("URL"), true, true, true, LocalResolver.RECURSION_MAX));
        silent = true;
        assertThat(ask(last, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.ERROR);
    }

    @Test
    void theNearestRecordAboveAPrefixRefersAlone() throws IOException {
        put("0.NA/20", HandleValue.of(1, "HS_NA_DELEGATE", "far"));
        put("0.NA/20.5", new HandleValue(1, "HS_SITE.PREFIX", new byte[] {1}, Permissions.SECRET, Ttl.usual(), 5, List.of()));
        assertThat(ask("0.NA/20.5.1").code()).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
        put("0.NA/20.5", HandleValue.of(1, "HS_SITE.PREFIX", "near"), HandleValue.of(2, "HS_SERV.PREFIX", "near"));
        assertThat(ask("0.NA/20.5.1.2").values()).hasSize(2);
        assertThat(ask("0.NA/21.5").code()).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
    }

    @Test
    void theStatusSaysWhatIsThere() throws IOException {
        settings = settings.withStatusAdmins(List.of(ADMIN));
        ResolveRequest status = new ResolveRequest(Handle.of("0.SITE/status"), List.of(), List.of(), false, false, false, 0);
        ResolveRequest stored = new ResolveRequest(Handle.of("0.site/db_status"), List.of(1), List.of("TROUBLE"), false, false, false, 0);
        HandleResult server = ask(status, claimed(ADMIN, ResponseCode.SUCCESS));
        assertThat(server.values()).extracting(HandleValue::type).containsExactly("STARTED", "TIME", "PREFIXES");
        assertThat(server.values().getLast().data()).asString().isEqualTo("2");
        assertThat(server.values().getFirst().data()).asString().matches("20..-.*Z");
        assertThat(server.values()).allMatch(each -> !each.permissions().publicRead() && each.ttl().equals(new Ttl.Relative(0)));
        HandleResult store = ask(stored, new Principal.Proven(ADMIN));
        assertThat(store.values()).extracting(each -> each.type() + " " + new String(each.data(), StandardCharsets.UTF_8))
                .containsExactly("RECORDS 1", "TROUBLE ");
        assertThat(ask(new ResolveRequest(Handle.of("0.SITE/status"), List.of(9), List.of(), false, false, false, 0),
                        new Principal.Proven(ADMIN)).code())
                .isEqualTo(ResponseCode.VALUES_NOT_FOUND);
    }

    @Test
    void aCallerIsWhoeverItSays() {
        assertThat(Principal.ANONYMOUS.who()).isEmpty();
        assertThat(new Principal.Proven(ADMIN).who()).contains(ADMIN);
        assertThat(claimed(ADMIN, ResponseCode.SUCCESS).who()).contains(ADMIN);
    }

    @Test
    void whileThePrefixesAreNotReadEachHandleMayBeOurs() throws IOException {
        homes = HomedPrefixes.unread(store);
        ResolveRequest some = ResolveRequest.ofAll(Handle.of("1234/some"));
        assertThat(ask(some, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.ERROR);
        AccessControl rights = new AccessControl(settings.settings(), records, RemoteResolver.NONE);
        Administration administration = new Administration(settings.settings(), records, homes, rights, new SecureRandom());
        assertThat(administration.delete(Principal.ANONYMOUS, Handle.of("1234/some")).code()).isEqualTo(ResponseCode.ERROR);
        assertThat(administration.home(Principal.ANONYMOUS, Handle.of("0.NA/1234")).code()).isEqualTo(ResponseCode.ERROR);
        assertThat(administration.homed(Principal.ANONYMOUS, _ -> true).code()).isEqualTo(ResponseCode.ERROR);
        assertThat(administration.list(Principal.ANONYMOUS, Handle.of("0.NA/1234"), null, _ -> true).code()).isEqualTo(ResponseCode.ERROR);
        homes.reread();
        assertThat(ask(some, Principal.ANONYMOUS).code()).isEqualTo(ResponseCode.SUCCESS);
        assertThat(administration.homed(Principal.ANONYMOUS, _ -> true).code()).isNotEqualTo(ResponseCode.ERROR);
    }
}
