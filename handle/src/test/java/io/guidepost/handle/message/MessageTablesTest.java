package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.value.SiteRecord;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tables: numbers, flags, versions. */
class MessageTablesTest {
    @Test
    void numbersAreFoundAndDiffer() {
        Set<Integer> numbers = new HashSet<>();
        for (HandleOperation each : HandleOperation.values()) {
            assertThat(HandleOperation.of(each.number())).contains(each);
            assertThat(numbers.add(each.number())).as(each.name()).isTrue();
        }
        numbers.clear();
        for (ResponseCode each : ResponseCode.values()) {
            assertThat(ResponseCode.of(each.number())).contains(each);
            assertThat(numbers.add(each.number())).as(each.name()).isTrue();
        }
        assertThat(HandleOperation.of(0)).isEmpty();
        assertThat(ResponseCode.of(0)).isEmpty();
    }

    @Test
    void flagsAreTwelveBitsFromTheTop() {
        int all = 0;
        for (OpFlag each : OpFlag.values()) {
            all |= each.bit();
        }
        assertThat(all).isEqualTo(0xfff00000);
        assertThat(OpFlag.REPEATED)
                .isEqualTo(OpFlag.of(
                        OpFlag.CERT, OpFlag.ENCR, OpFlag.CACR, OpFlag.PUBL, OpFlag.RRDG, OpFlag.DNRF));
    }

    @Test
    void onlyWhatConcernsResolutionAndSessionsIsForAll() {
        assertThat(Arrays.stream(HandleOperation.values()).filter(each -> !each.isAdmin()))
                .containsExactly(
                        HandleOperation.RESOLVE,
                        HandleOperation.GET_SITE,
                        HandleOperation.ANSWER_CHALLENGE,
                        HandleOperation.VERIFY_ANSWER,
                        HandleOperation.SET_UP_SESSION,
                        HandleOperation.END_SESSION,
                        HandleOperation.EXCHANGE_KEY);
    }

    @Test
    void negativeAnswersReferralsAndChallengesAreNoErrors() {
        assertThat(Arrays.stream(ResponseCode.values()).filter(each -> !each.isError()))
                .containsExactly(
                        ResponseCode.SUCCESS,
                        ResponseCode.HANDLE_NOT_FOUND,
                        ResponseCode.HANDLE_EXISTS,
                        ResponseCode.VALUES_NOT_FOUND,
                        ResponseCode.NOT_RESPONSIBLE,
                        ResponseCode.SERVICE_REFERRAL,
                        ResponseCode.PREFIX_REFERRAL,
                        ResponseCode.CHALLENGE);
        assertThat(ResponseCode.values()).extracting(ResponseCode::text).doesNotContain("").doesNotHaveDuplicates();
    }

    @Test
    void aVersionIsTwoBytes() {
        assertThat(new ProtocolVersion(255, 255)).hasToString("255.255");
        for (int[] each : new int[][] {{256, 0}, {0, 256}, {-1, 0}, {0, -1}}) {
            assertThatThrownBy(() -> new ProtocolVersion(each[0], each[1])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void versionsAreInOrder() {
        int[][] versions = {{1, 255}, {2, 0}, {2, 9}, {2, 11}, {3, 0}};
        for (int i = 0; i < versions.length; i++) {
            ProtocolVersion one = new ProtocolVersion(versions[i][0], versions[i][1]);
            for (int k = 0; k < versions.length; k++) {
                ProtocolVersion other = new ProtocolVersion(versions[k][0], versions[k][1]);
                assertThat(Integer.signum(one.compareTo(other))).isEqualTo(Integer.compare(i, k));
                assertThat(one.atLeast(versions[k][0], versions[k][1])).isEqualTo(i >= k);
            }
        }
    }

    @Test
    void aPartitionIsOneOfASite() {
        for (int servers : new int[] {1, 3, HandleLimits.SERVERS_MAX}) {
            for (int server : new int[] {0, servers - 1}) {
                MirrorPartition there = new MirrorPartition(SiteRecord.Hash.HANDLE, servers, server);
                assertThat(there.checked()).isSameAs(there);
                assertThat(there.isWhole()).isEqualTo(servers == 1);
            }
            for (int server : new int[] {-1, servers}) {
                assertThatThrownBy(() -> new MirrorPartition(SiteRecord.Hash.HANDLE, servers, server).checked())
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
        for (int servers : new int[] {-1, 0, HandleLimits.SERVERS_MAX + 1}) {
            assertThatThrownBy(() -> new MirrorPartition(SiteRecord.Hash.HANDLE, servers, 0).checked())
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void eachHandleIsInOnePartition() {
        for (int i = 0; i < 100; i++) {
            Handle handle = Handle.of("1234/" + i);
            int home = SiteRecord.Hash.HANDLE.serverOf(handle, 3);
            for (int server = 0; server < 3; server++) {
                assertThat(new MirrorPartition(SiteRecord.Hash.HANDLE, 3, server).contains(handle)).isEqualTo(server == home);
            }
            assertThat(new MirrorPartition(SiteRecord.Hash.HANDLE, 1, 0).contains(handle)).isTrue();
        }
    }

    @Test
    void anAnswerHasTheSuggestedVersionOrTheNewest() {
        assertThat(answer(2, 11, 2, 3)).isEqualTo("2.3");
        assertThat(answer(2, 3, 2, 11)).isEqualTo("2.11");
        assertThat(answer(2, 12, 2, 12)).isEqualTo("2.11");
        assertThat(answer(3, 0, 3, 0)).isEqualTo("2.11");
        assertThat(answer(2, 5, 0, 0)).isEqualTo("2.5");
        assertThat(answer(2, 0, 2, 0)).isEqualTo("2.0");
    }

    private static String answer(int major, int minor, int suggestedMajor, int suggestedMinor) {
        return ProtocolVersion.ofAnswer(
                        new ProtocolVersion(major, minor), new ProtocolVersion(suggestedMajor, suggestedMinor))
                .toString();
    }

    @Test
    void whatChangesWithTheVersion() {
        assertThat(new ProtocolVersion(2, 0).digest()).isEqualTo(DigestAlgorithm.MD5_OLD);
        assertThat(new ProtocolVersion(2, 1).digest()).isEqualTo(DigestAlgorithm.SHA1);
        assertThat(new ProtocolVersion(2, 6).digest()).isEqualTo(DigestAlgorithm.SHA1);
        assertThat(new ProtocolVersion(2, 7).digest()).isEqualTo(DigestAlgorithm.SHA256);
        assertThat(new ProtocolVersion(2, 4).coverage()).isEqualTo(ProtocolVersion.Coverage.MESSAGE);
        assertThat(new ProtocolVersion(2, 5).coverage()).isEqualTo(ProtocolVersion.Coverage.UNSUPPORTED);
        assertThat(new ProtocolVersion(2, 7).coverage()).isEqualTo(ProtocolVersion.Coverage.NUMBERS);
        assertThat(new ProtocolVersion(2, 8).coverage()).isEqualTo(ProtocolVersion.Coverage.SUGGESTION);
        assertThat(new ProtocolVersion(2, 3).encryptsWithVector()).isFalse();
        assertThat(new ProtocolVersion(2, 4).encryptsWithVector()).isTrue();
        assertThat(new ProtocolVersion(2, 4).countsMessages()).isFalse();
        assertThat(new ProtocolVersion(2, 5).countsMessages()).isTrue();
        assertThat(new ProtocolVersion(2, 8).marksPosition()).isFalse();
        assertThat(new ProtocolVersion(3, 0).marksPosition()).isTrue();
    }

    @Test
    void oldVersionsHaveFewerCodes() {
        ProtocolVersion old = new ProtocolVersion(2, 4);
        assertThat(ResponseCode.READ_ONLY.in(old)).isEqualTo(ResponseCode.PREFIX_REFERRAL);
        assertThat(ResponseCode.INVALID_VALUE.in(old)).isEqualTo(ResponseCode.VALUE_EXISTS);
        assertThat(ResponseCode.BUSY.in(old)).isEqualTo(ResponseCode.BUSY);
        assertThat(ResponseCode.READ_ONLY.in(new ProtocolVersion(2, 5))).isEqualTo(ResponseCode.READ_ONLY);
    }
}
