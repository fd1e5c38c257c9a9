package io.guidepost.alto.proxidor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Proxidor byte by byte. */
class ProxidorDoorTest {
    private static final String HEADER = "0000 0000 cafef00d 0000 00 00 ";
    private static final String ANSWER = "0000 8000 cafef00d 003c 00 00 ";

    /** Three customers at the ninth, the first and the third router, asked for by one at the first. */
    private static final String LIST = "01 00 0010  0a090001 0a010001 0a030001";

    private static final String SORTED = "01 00 0010  0a010001 0a030001 0a090001";

    private final ProxidorDoorFixture stand = new ProxidorDoorFixture(false);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private String ask(Address peer, String hex) {
        return HexFormat.of().formatHex(stand.ask(peer, bytes(hex)));
    }

    private void assertAnswer(String question, String answer) {
        assertThat(ask(ProxidorDoorFixture.CUSTOMER, question)).isEqualTo(answer.replace(" ", ""));
    }

    private void assertRefused(String question, ProxidorFault fault) {
        int code = fault.rcode().code();
        assertAnswer(question, "0000 800" + code + " cafef00d 003c 0000");
        assertThat(stand.door.faults().get(fault)).isEqualTo(1);
        assertThat(stand.count(ProxidorCount.valueOf("RESPONSES_" + fault.rcode()))).isEqualTo(1);
    }

    private static List<Candidate> candidates(String... texts) throws Malformed {
        Candidate[] parsed = new Candidate[texts.length];
        for (int i = 0; i < texts.length; i++) {
            parsed[i] = Candidate.parse(texts[i]);
        }
        return List.of(parsed);
    }

    @Test
    void aListComesBackNearestFirst() {
        assertAnswer(HEADER + LIST, ANSWER + SORTED);
    }

    @Test
    void theClientWritesThatQuestionAndReadsThatAnswer() throws Malformed {
        ProxidorRequest question = new ProxidorRequest(candidates("10.9.0.1", "10.1.0.1", "10.3.0.1"), Optional.empty());
        assertThat(question.write(0xcafef00d)).isEqualTo(bytes(HEADER + LIST));
        byte[] answer = bytes(ANSWER + SORTED);
        ProxidorRequest.Answer read = question.read(answer, answer.length, 0xcafef00d);
        assertThat(read.code()).isEqualTo(ProxidorRcode.NO_ERROR);
        assertThat(read.ttlSeconds()).isEqualTo(60);
        assertThat(read.order()).containsExactly(1, 2, 0);
    }

    @Test
    void theOrderIsThatOfWhoAsks() {
        String other = ask(ProxidorDoorFixture.ipv4(10, 9, 7, 7), HEADER + LIST);
        assertThat(other).isEqualTo((ANSWER + "01 00 0010 0a090001 0a030001 0a010001").replace(" ", ""));
    }

    @Test
    void whatTheQuestionSaysInFieldsThatAreIgnoredChangesNothing() {
        assertAnswer("0000 00ff cafef00d ffff 00 ff " + LIST, ANSWER + SORTED);
    }

    @Test
    void authenticationIsSkipped() {
        assertAnswer("0000 0400 cafef00d 0000 00 01 0123456789abcdef " + LIST, ANSWER + SORTED);
    }

    @Test
    void attributesAreSkipped() {
        assertAnswer(HEADER + "01 3f 0014 ffffffff 0a090001 0a010001 0a030001", ANSWER + SORTED);
        assertAnswer(HEADER + "01 41 0018 ffffffffffffffff 0a090001 0a010001 0a030001", ANSWER + SORTED);
        assertAnswer(
                HEADER + "01 60 0020 ffffffffffffffff ffffffffffffffff 0a090001 0a010001 0a030001", ANSWER + SORTED);
    }

    @Test
    void severalListsAreMergedIntoOne() {
        assertAnswer(
                HEADER + "01 80 0004  01 a0 000c 12345678 0a090001  01 00 000c 0a010001 0a030001", ANSWER + SORTED);
    }

    @Test
    void duplicatesAreKeptAndEqualOnesKeepTheirOrder() {
        assertAnswer(
                HEADER + "01 00 0018  0a010009 0a010001 0a010009 0a010005 0a010001",
                ANSWER + "01 00 0018  0a010009 0a010001 0a010009 0a010005 0a010001");
    }

    @Test
    void unknownCandidatesAreLeftOut() {
        assertAnswer(HEADER + "01 00 0010  c6336401 0a090001 0a010001", ANSWER + "01 00 000c  0a010001 0a090001");
        assertAnswer(HEADER + "01 00 000c  c6336401 c6336402", ANSWER + "01 00 0004");
        assertThat(stand.count(ProxidorCount.CANDIDATES_UNKNOWN)).isEqualTo(3);
    }

    @Test
    void unknownCandidatesStandBehindIfThatIsWished() {
        ProxidorDoorFixture behind = new ProxidorDoorFixture(true);
        byte[] answer = behind.ask(ProxidorDoorFixture.CUSTOMER, bytes(HEADER + "01 00 0010  c6336401 0a090001 0a010001"));
        assertThat(answer).isEqualTo(bytes(ANSWER + "01 00 0010  0a010001 0a090001 c6336401"));
    }

    @Test
    void listsOfIpv6AndOfPrefixesAreRanked() {
        assertAnswer(
                HEADER + "02 00 0024  20010db8000300000000000000000001 20010db8000100000000000000000001",
                ANSWER + "02 00 0024  20010db8000100000000000000000001 20010db8000300000000000000000001");
        assertAnswer(
                HEADER + "03 00 000e  0a030000 10 0a010000 20", ANSWER + "03 00 000e  0a010000 20 0a030000 10");
        assertAnswer(
                HEADER + "04 00 0026  20010db8000300000000000000000000 30 20010db8000100000000000000000000 40",
                ANSWER + "04 00 0026  20010db8000100000000000000000000 40 20010db8000300000000000000000000 30");
    }

    @Test
    void bothFamiliesAreRankedTogetherInMappedForm() throws Malformed {
        ProxidorRequest question = new ProxidorRequest(candidates("2001:db8:3::1", "10.9.0.1", "10.1.0.1"), Optional.empty());
        byte[] answer = stand.ask(ProxidorDoorFixture.CUSTOMER, question.write(1));
        assertThat(question.read(answer, answer.length, 1).order()).containsExactly(2, 0, 1);
        ProxidorRequest prefixes = new ProxidorRequest(candidates("2001:db8:3::/48", "10.9.0.0/16", "10.1.0.1"), Optional.empty());
        byte[] second = stand.ask(ProxidorDoorFixture.CUSTOMER, prefixes.write(1));
        assertThat(prefixes.read(second, second.length, 1).order()).containsExactly(2, 0, 1);
    }

    @Test
    void aTrustedProxyAsksForSomebodyElse() {
        String forTheNinth = "0000 0200 cafef00d 0000 00 00 0a090000 18 " + LIST;
        String sorted = (ANSWER + "01 00 0010 0a090001 0a030001 0a010001").replace(" ", "");
        assertThat(ask(ProxidorDoorFixture.PROXY, forTheNinth)).isEqualTo(sorted);
        assertThat(ask(ProxidorDoorFixture.PROXY, "0000 0100 cafef00d 0000 0000 20010db8000900000000000000000000 40 " + LIST))
                .isEqualTo(sorted);
        assertThat(stand.count(ProxidorCount.PROXIED_REQUESTS)).isEqualTo(2);
        assertThat(stand.count(ProxidorCount.IGNORED_SOURCES)).isZero();
    }

    @Test
    void ofTwoSourcesThatOfTheFamilyOfTheListCounts() {
        String question = "0000 0300 cafef00d 0000 00 00 0a090000 18 20010db8000100000000000000000000 30 ";
        assertThat(ask(ProxidorDoorFixture.PROXY, question + LIST)).contains("0a0900010a0300010a010001");
        String six = "02 00 0024  20010db8000300000000000000000001 20010db8000100000000000000000001";
        assertThat(ask(ProxidorDoorFixture.PROXY, question + six)).endsWith("20010db8000300000000000000000001");
    }

    @Test
    void whoIsNotTrustedAsksForItself() {
        assertAnswer("0000 0200 cafef00d 0000 00 00 0a090000 18 " + LIST, ANSWER.replace("8000", "8080") + SORTED);
        assertThat(stand.count(ProxidorCount.IGNORED_SOURCES)).isEqualTo(1);
        assertAnswer(HEADER + LIST, ANSWER + SORTED);
        assertThat(ask(ProxidorDoorFixture.ipv4(198, 18, 0, 1), "0000 0200 cafef00d 0000 00 00 0a090000 18 " + LIST))
                .as("an unknown sender is told too")
                .isEqualTo("00008083cafef00d003c0000");
    }

    @Test
    void anUnknownSourceIsTold() {
        assertThat(ask(ProxidorDoorFixture.ipv4(198, 18, 0, 1), HEADER + LIST)).isEqualTo("00008003cafef00d003c0000");
        assertThat(stand.count(ProxidorCount.RESPONSES_UNKNOWN_SOURCE)).isEqualTo(1);
    }

    @Test
    void withoutANetworkItIsTheServersFault() {
        ProxidorDoorFixture empty = new ProxidorDoorFixture(false, Ranking.EMPTY);
        byte[] answer = empty.ask(ProxidorDoorFixture.CUSTOMER, bytes(HEADER + LIST));
        assertThat(answer).isEqualTo(bytes("0000 8002 cafef00d 003c 0000"));
        assertThat(empty.count(ProxidorCount.RESPONSES_SERVER_FAILURE)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "VERSION, 0100 0000 cafef00d 0000 0000 " + LIST,
        "SERVICE_CODE, 0001 0000 cafef00d 0000 0000 " + LIST,
        "OPCODE, 0000 0800 cafef00d 0000 0000 " + LIST,
        "CATEGORY, 0000 0000 cafef00d 0000 0100 " + LIST,
        "SHORT_AUTHENTICATION, 0000 0400 cafef00d 0000 0000 01234567",
        "SHORT_SOURCE, 0000 0200 cafef00d 0000 0000 0a090000",
        "SHORT_SOURCE, 0000 0100 cafef00d 0000 0000 0a0900000a0900000a0900000a090000",
        "SOURCE_LENGTH, 0000 0200 cafef00d 0000 0000 0a090000 21 " + LIST,
        "SOURCE_LENGTH, 0000 0100 cafef00d 0000 0000 0a0900000a0900000a0900000a090000 81 " + LIST,
        "SHORT_LIST, 0000 0000 cafef00d 0000 0000",
        "SHORT_LIST, 0000 0000 cafef00d 0000 0000 010000",
        "SHORT_LIST, 0000 0000 cafef00d 0000 0000 0180000c0a0100010a030001",
        "LIST_SIZE, 0000 0000 cafef00d 0000 0000 01000003",
        "LIST_SIZE, 0000 0000 cafef00d 0000 0000 012000070a0100010a030001",
        "LIST_SIZE, 0000 0000 cafef00d 0000 0000 0100000d0a0100010a030001",
        "LIST_TYPE, 0000 0000 cafef00d 0000 0000 0000000c0a0100010a030001",
        "LIST_TYPE, 0000 0000 cafef00d 0000 0000 0500000c0a0100010a030001",
        "MIXED_LISTS, 0000 0000 cafef00d 0000 0000 0180000c0a0100010a030001 03000009 0a03000110",
        "LIST_REMAINDER, 0000 0000 cafef00d 0000 0000 0100000e0a0100010a0300010000",
        "TOO_FEW, 0000 0000 cafef00d 0000 0000 01000004",
        "TOO_FEW, 0000 0000 cafef00d 0000 0000 010000080a010001",
        "PREFIX_LENGTH, 0000 0000 cafef00d 0000 0000 0300000e 0a03000010 0a01000021",
        "TRAILING, 0000 0000 cafef00d 0000 0000 0100000c0a0100010a030001 00",
    })
    void aFaultIsNamed(ProxidorFault fault, String question) {
        assertRefused(question, fault);
    }

    @Test
    void asManyAsAPacketHasRoomForAreRanked() {
        for (ProxidorListType type : ProxidorListType.values()) {
            byte[] full = list(type, type.most());
            assertThat(stand.ask(ProxidorDoorFixture.CUSTOMER, full)).as("%s", type).hasSameSizeAs(full);
        }
        assertThat(ProxidorListType.IPV4.most()).isEqualTo(363);
        assertThat(ProxidorListType.IPV6.most()).isEqualTo(90);
        assertRefused(HexFormat.of().formatHex(list(ProxidorListType.IPV4, 364)), ProxidorFault.TOO_MANY);
    }

    /** So many times the same customer. */
    private static byte[] list(ProxidorListType type, int count) {
        byte[] list = new byte[4 + count * type.bytes()];
        list[0] = (byte) type.code();
        list[2] = (byte) (list.length >> 8);
        list[3] = (byte) list.length;
        for (int i = 4; i < list.length; i += type.bytes()) {
            byte[] address = bytes(type.isIpv6() ? "20010db8000100000000000000000001" : "0a010001");
            System.arraycopy(address, 0, list, i, address.length);
        }
        byte[] header = bytes(HEADER);
        byte[] question = Arrays.copyOf(header, header.length + list.length);
        System.arraycopy(list, 0, question, header.length, list.length);
        return question;
    }

    @Test
    void moreListsThanAreTakenAreRefused() {
        assertRefused(HEADER + "01800004".repeat(ProxidorLimits.PARTS_MAX) + LIST, ProxidorFault.TOO_MANY_LISTS);
    }

    @Test
    void whatIsNoQuestionIsDropped() {
        assertAnswer("0000 8000 cafef00d 003c 0000 " + SORTED, "");
        assertAnswer("0000 0000 cafef00d 0000 00", "");
        assertAnswer("", "");
        assertThat(stand.count(ProxidorCount.DROPS_MALFORMED)).isEqualTo(3);
        assertThat(stand.door.faults().get(ProxidorFault.ANSWER)).isEqualTo(1);
        assertThat(stand.door.faults().get(ProxidorFault.SHORT_HEADER)).isEqualTo(2);
    }

    @Test
    void whereAnAnswerHasNoRoomItIsDropped() {
        assertThat(stand.ask(ProxidorDoorFixture.CUSTOMER, bytes(HEADER + LIST), 27)).isEmpty();
        assertThat(stand.ask(ProxidorDoorFixture.CUSTOMER, bytes(HEADER + LIST), 28)).hasSize(28);
        assertThat(stand.ask(ProxidorDoorFixture.CUSTOMER, bytes(HEADER), 11)).isEmpty();
        assertThat(stand.count(ProxidorCount.DROPS_NO_ROOM)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(ProxidorRcode.class)
    void codesAreTheirNumbers(ProxidorRcode code) {
        assertThat(ProxidorRcode.of(code.code())).isEqualTo(code);
        assertThat(List.of("NO_ERROR", "FORMAT", "SERVER_FAILURE", "UNKNOWN_SOURCE", "NOT_IMPLEMENTED", "REFUSED"))
                .element(code.code())
                .isEqualTo(code.name());
        assertThat(ProxidorRcode.of(15)).isEqualTo(ProxidorRcode.REFUSED);
    }

    @Test
    void aClientTakesNoAnswerThatIsNotItsOwn() throws Malformed {
        ProxidorRequest question = new ProxidorRequest(candidates("10.9.0.1", "10.1.0.1", "10.3.0.1"), Optional.empty());
        for (String wrong : List.of(
                "0000 8000 cafef00e 003c 0000 " + SORTED,
                "0000 0000 cafef00d 003c 0000 " + SORTED,
                "0100 8000 cafef00d 003c 0000 " + SORTED,
                ANSWER + "01 00 0010  0a010001 0a030001 0a090002",
                ANSWER + "01 00 0010  0a010001 0a010001 0a090001",
                ANSWER + "03 00 0010  0a010001 0a030001 0a090001",
                ANSWER + "01 80 0010  0a010001 0a030001 0a090001",
                ANSWER + "01 00 000c  0a010001 0a030001 0a090001",
                ANSWER + "01 00",
                "0000 8000 cafef00d 003c 00")) {
            byte[] answer = bytes(wrong);
            assertThatThrownBy(() -> question.read(answer, answer.length, 0xcafef00d))
                    .as(wrong)
                    .isInstanceOf(Malformed.class);
        }
    }

    @Test
    void aQuestionTakesAsManyAsFit() {
        Candidate one = Candidate.of(ProxidorDoorFixture.CUSTOMER);
        assertThatThrownBy(() -> new ProxidorRequest(List.of(one), Optional.empty()))
                .hasMessage("a request has 2 to 363 candidates of this kind, not 1");
        List<Candidate> many = java.util.Collections.nCopies(364, one);
        assertThatThrownBy(() -> new ProxidorRequest(many, Optional.empty()))
                .hasMessage("a request has 2 to 363 candidates of this kind, not 364");
        assertThat(ProxidorRequest.typeOf(List.of(one, Candidate.of(Prefix.ofIpv4(0, 0))))).isEqualTo(ProxidorListType.IPV4_PREFIX);
    }
}
