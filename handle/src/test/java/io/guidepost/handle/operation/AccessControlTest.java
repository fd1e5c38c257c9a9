package io.guidepost.handle.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.service.TestHandleServer;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups, nested, in circles, and at other servers; indexes of 0; case; keys that are elsewhere. */
class AccessControlTest {
    /** Another server, which has records and looks at proofs. */
    private static final class Elsewhere implements RemoteResolver {
        final Map<String, List<HandleValue>> values = new HashMap<>();
        final List<String> asked = new ArrayList<>();
        boolean answers = true;
        boolean right = true;

        @Override
        public Optional<HandleResult> resolve(ResolveRequest question) throws IOException {
            asked.add(question.handle() + " " + question.indexes() + question.types());
            if (!answers) {
                throw new IOException("it does not answer");
            }
            return Optional.ofNullable(values.get(question.handle().toString()))
                    .map(found -> HandleResult.found(question.handle(), found));
        }

        @Override
        public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
            asked.add("verify " + key);
            return Optional.of(right);
        }
    }

    private final Elsewhere elsewhere = new Elsewhere();
    private TestHandleServer server;

    @BeforeEach
    void open() throws IOException {
        server = new TestHandleServer(settings -> settings, elsewhere);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ValueReference ref(String handle, int index) {
        return new ValueReference(Handle.of(handle), index);
    }

    private static HandleValue group(int index, ValueReference... members) {
        return HandleValue.of(index, "HS_VLIST", new IdentityList(List.of(members)).write());
    }

    private boolean has(ValueReference who, ValueReference admin) throws IOException {
        server.put(Handle.of("1234/x"), TestHandleServer.admin(100, admin, AdminRight.DELETE_HANDLE.bit()));
        return server.rights.has(who, AdminRight.DELETE_HANDLE, server.record("1234/x"));
    }

    /** As for genuine servers: a subtype of an administrator, a group or a key is one. */
    @Test
    void subtypesDecideOnRightsToo() throws IOException {
        ValueReference who = ref("1234/me", 300);
        byte[] admin = TestHandleServer.admin(100, ref("1234/group", 200), AdminRight.DELETE_HANDLE.bit()).data();
        server.put(Handle.of("1234/x"), HandleValue.of(100, "hs_admin.old", admin));
        server.put(Handle.of("1234/group"), HandleValue.of(200, "HS_VLIST.x", new IdentityList(List.of(who)).write()));
        assertThat(server.rights.has(who, AdminRight.DELETE_HANDLE, server.record("1234/x"))).isTrue();
        server.put(Handle.of("1234/x"), HandleValue.of(100, "HS_ADMINS", admin));
        assertThat(server.rights.has(who, AdminRight.DELETE_HANDLE, server.record("1234/x"))).isFalse();

        server.put(Handle.of("1234/me"), HandleValue.of(300, "HS_SECKEY.x", utf8("secret")));
        assertThat(server.identities.checkSecret(who, utf8("secret"))).isEqualTo(ResponseCode.SUCCESS);

        HandleValue text = HandleValue.of(5, "DESC", admin);
        HandleValue hidden = HandleValue.of(5, "HS_ADMIN.x", admin);
        assertThat(ValueChangeRights.toModify(text, hidden)).containsExactlyInAnyOrder(AdminRight.MODIFY_ADMIN, AdminRight.ADD_ADMIN);
        assertThat(ValueChangeRights.toAdd(hidden)).containsExactly(AdminRight.ADD_ADMIN);
        assertThat(ValueChangeRights.toRemove(hidden)).isEqualTo(AdminRight.REMOVE_ADMIN);
    }

    /** The four types, by what the client library of genuine servers says of them. */
    @ParameterizedTest
    @ValueSource(strings = {"HS_ADMIN", "HS_VLIST", "HS_SECKEY", "HS_PUBKEY"})
    void aValueHasATypeAsTheGenuineLibrarySays(String base) {
        for (String each : List.of(base, base.toLowerCase(Locale.ROOT) + ".x", base + ".", base + "X", base + ".a.b", "URL", "HS")) {
            net.handle.hdllib.HandleValue genuine = new net.handle.hdllib.HandleValue(1, utf8(each), new byte[0]);
            assertThat(ValueType.valueOf(base).isOf(each)).as(each).isEqualTo(genuine.hasType(utf8(base)));
        }
    }

    @Test
    void anIdentityIsItsHandleInAnyCaseAndItsIndex() throws IOException {
        ValueReference who = ref("1234/me", 300);
        assertThat(has(who, ref("1234/ME", 300))).isTrue();
        assertThat(has(who, ref("1234/me", 0))).isTrue();
        assertThat(has(who, ref("1234/me", 301))).isFalse();
        assertThat(has(who, ref("1234/you", 300))).isFalse();
        assertThat(has(ref("1234/me", 0), ref("1234/me", 300))).isFalse();
    }

    @Test
    void administratorsOfTheServerMayBecomeOthers() throws IOException {
        ValueReference who = ref("1234/me", 300);
        assertThat(server.rights.isServerAdmin(who)).isFalse();
        server.rights.administrators(new ServerAdministrators(List.of(who), List.of(), List.of()));
        assertThat(server.rights.isServerAdmin(who)).isTrue();
        assertThat(server.rights.readsStatus(who)).isFalse();
    }

    @Test
    void whereSuffixesDifferByCaseSoDoIdentities() throws IOException {
        try (TestHandleServer strict = new TestHandleServer(settings -> settings.withCaseSensitive(true), RemoteResolver.NONE)) {
            ValueReference who = ref("ab/Me", 300);
            assertThat(strict.rights.isOneOf(who, List.of(ref("AB/Me", 300)))).isTrue();
            assertThat(strict.rights.isOneOf(who, List.of(ref("ab/me", 300)))).isFalse();
        }
    }

    @Test
    void groupsHaveGroups() throws IOException {
        ValueReference who = ref("1234/me", 300);
        server.put(Handle.of("1234/g"), group(1, ref("1234/g", 2), ref("1234/you", 1)), group(2, ref("1234/h", 7)));
        server.put(Handle.of("1234/h"), group(7, who), TestHandleServer.url(8, "http://e.x/"));
        assertThat(has(who, ref("1234/g", 1))).isTrue();
        assertThat(has(ref("1234/you", 1), ref("1234/g", 1))).isTrue();
        assertThat(has(ref("1234/you", 1), ref("1234/g", 2))).isFalse();
        assertThat(has(who, ref("1234/h", 8))).isFalse();
        assertThat(has(who, ref("1234/h", 0))).isFalse();
        assertThat(has(who, ref("1234/none", 1))).isFalse();
    }

    @Test
    void groupsInCirclesEnd() throws IOException {
        server.put(
                Handle.of("1234/g"),
                group(1, ref("1234/g", 2), ref("1234/g", 1)),
                group(2, ref("1234/G", 1), ref("1234/me", 300)));
        assertThat(has(ref("1234/me", 300), ref("1234/g", 1))).isTrue();
        assertThat(has(ref("1234/you", 300), ref("1234/g", 1))).isFalse();
    }

    @Test
    void groupsAreFollowedSoFarAndNoFurther() throws IOException {
        ValueReference who = ref("1234/me", 300);
        for (int i = 1; i <= AccessControl.DEPTH_MAX; i++) {
            server.put(Handle.of("1234/g" + i), group(1, i == AccessControl.DEPTH_MAX ? who : ref("1234/g" + (i + 1), 1)));
        }
        assertThat(has(who, ref("1234/g1", 1))).isTrue();
        server.put(Handle.of("1234/g0"), group(1, ref("1234/g1", 1)));
        assertThat(has(who, ref("1234/g0", 1))).isFalse();
        // A tree of many, too: each is looked into once.
        List<ValueReference> many = new ArrayList<>();
        for (int i = 0; i < 2 * AccessControl.GROUPS_MAX; i++) {
            many.add(ref("1234/n", 1000 + i));
        }
        server.put(Handle.of("1234/wide"), group(1, many.toArray(ValueReference[]::new)));
        elsewhere.asked.clear();
        assertThat(has(who, ref("1234/wide", 1))).isFalse();
        assertThat(elsewhere.asked).hasSize(AccessControl.GROUPS_ELSEWHERE_MAX);
    }

    @Test
    void whatCannotBeReadGivesNothing() throws IOException {
        ValueReference who = ref("1234/me", 300);
        server.put(
                Handle.of("1234/g"), HandleValue.of(1, "HS_VLIST", new byte[] {0, 0, 0, 9}), group(2, ref("1234/g", 1)));
        assertThat(has(who, ref("1234/g", 2))).isFalse();
        server.put(Handle.of("1234/x"), HandleValue.of(1, "HS_ADMIN", new byte[] {1, 2, 3}));
        assertThat(server.rights.has(who, AdminRight.READ_VALUE, server.record("1234/x"))).isFalse();
    }

    @Test
    void groupsAndPrefixesMayBeElsewhere() throws IOException {
        ValueReference who = ref("55/me", 300);
        elsewhere.values.put("55/group", List.of(group(4, who)));
        elsewhere.values.put("0.NA/1234", List.of(TestHandleServer.admin(100, ref("55/group", 4), AdminRight.ALL)));
        server.records.change(
                Handle.of("0.NA/1234"), (_, _) -> new RecordEdit.Next.Deleted());
        HandleResult made = server.administration.create(
                new Principal.Proven(who), Handle.of("1234/x"), List.of(TestHandleServer.url(1, "a:b")), false, false);
        assertThat(made.code()).isEqualTo(ResponseCode.SUCCESS);
        assertThat(elsewhere.asked).contains("0.NA/1234 [][HS_ADMIN.]", "55/group [4][]");
        elsewhere.answers = false;
        assertThat(server.administration.delete(new Principal.Proven(who), Handle.of("1234/x")).code())
                .isEqualTo(ResponseCode.NOT_ADMIN);
    }

    @Test
    void secretsThatAreElsewhereAreLookedAtThere() throws IOException {
        SecretKeyProof answer = SecretKeyProof.prove(
                SecretKeyProof.Kind.HMAC_SHA256, new byte[] {1}, new byte[16], new byte[32], server.random);
        ValueReference who = ref("55/me", 301);
        assertThat(server.identities.check(who, answer, new byte[16], new byte[32])).isEqualTo(ResponseCode.SUCCESS);
        elsewhere.right = false;
        assertThat(server.identities.check(who, answer, new byte[16], new byte[32]))
                .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(elsewhere.asked).containsOnly("verify 301:55/me");
        elsewhere.asked.clear();
        // Those that should be here are not.
        assertThat(server.identities.check(ref("1234/ADMIN", 300), answer, new byte[16], new byte[32]))
                .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(elsewhere.asked).isEmpty();
    }

    @Test
    void aSecretIsComparedWithTheOneThatIsKept() throws IOException {
        assertThat(server.identities.checkSecret(TestHandleServer.SECRET, TestHandleServer.SECRET_KEY))
                .isEqualTo(ResponseCode.SUCCESS);
        for (ValueReference who : List.of(TestHandleServer.SECRET, TestHandleServer.RSA, ref("1234/none", 1), ref("55/x", 1))) {
            for (byte[] each : List.of(new byte[0], new byte[1], utf8("Secret"), utf8("secret\0"))) {
                assertThat(server.identities.checkSecret(who, each))
                        .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
            }
        }
    }

    /** A proof by the byte that stands for a missing secret, to values that hold none, or hold that byte as something else. */
    @Test
    void aProofWithoutASecretIsWrong() throws IOException {
        server.put(
                Handle.of("1234/empty"),
                HandleValue.of(1, "HS_SECKEY", new byte[0]),
                HandleValue.of(2, "DESC", new byte[1]),
                TestHandleServer.admin(3, ref("1234/me", 300), AdminRight.ALL));
        SecretKeyProof none = SecretKeyProof.prove(
                SecretKeyProof.Kind.HMAC_SHA256, new byte[1], new byte[16], new byte[32], server.random);
        for (ValueReference who : List.of(ref("1234/empty", 1), ref("1234/empty", 2), ref("1234/empty", 9), TestHandleServer.RSA)) {
            assertThat(server.identities.checkHere(who, none, new byte[16], new byte[32])).as(who.toString()).isFalse();
            assertThat(server.identities.checkSecret(who, new byte[1])).isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
            assertThat(server.identities.checkSecret(who, new byte[0])).isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        }
        SecretKeyProof right = SecretKeyProof.prove(
                SecretKeyProof.Kind.HMAC_SHA256, TestHandleServer.SECRET_KEY, new byte[16], new byte[32], server.random);
        assertThat(server.identities.checkHere(TestHandleServer.SECRET, right, new byte[16], new byte[32])).isTrue();
        assertThat(server.identities.checkHere(TestHandleServer.SECRET, none, new byte[16], new byte[32])).isFalse();
    }

    @Test
    void aPublicKeyIsThatOfItsIndexHereOrElsewhere() throws IOException {
        PublicKey key = TestHandleServer.RSA_KEYS.getPublic();
        assertThat(server.identities.publicKey(TestHandleServer.RSA)).contains(key);
        assertThat(server.identities.publicKey(TestHandleServer.DSA)).contains(TestHandleServer.DSA_KEYS.getPublic());
        assertThat(server.identities.publicKey(TestHandleServer.SECRET)).as("a secret").isEmpty();
        assertThat(server.identities.publicKey(new ValueReference(TestHandleServer.ADMIN, 999))).isEmpty();
        assertThat(elsewhere.asked).isEmpty();
        byte[] record = PublicKeyRecord.of(key).write();
        elsewhere.values.put("55/me", List.of(HandleValue.of(1, "HS_PUBKEY", new byte[3]), HandleValue.of(2, "HS_PUBKEY", record)));
        assertThat(server.identities.publicKey(ref("55/me", 2))).contains(key);
        assertThat(server.identities.publicKey(ref("55/me", 1))).as("no key").isEmpty();
        assertThat(server.identities.publicKey(ref("55/you", 1))).isEmpty();
    }
}
