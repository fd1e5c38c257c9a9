package io.guidepost.handle.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.handle.Handle;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which location a visitor gets. */
class LocationSelectorTest {
    private static final String EXAMPLE =
            """
            <locations chooseby="locatt,country,weighted">
              <location id="0" href="http://uk.example.com/" country="gb" weight="0"/>
              <location id="1" href="http://www1.example.com/" weight="1"/>
              <location id="2" href="http://www2.example.com/" weight="1"/>
            </locations>
            """;

    private static final InetAddress IN_BRITAIN = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress IN_FRANCE = InetAddress.ofLiteral("198.51.100.1");
    private static final InetAddress NOWHERE = InetAddress.ofLiteral("203.0.113.1");

    private final SplittableRandom random = new SplittableRandom(84);
    private final LocationSelector choice = new LocationSelector(geography(), random);

    private static PrefixTable table(Map<String, Long> values) {
        Prefixes.Builder prefixes = Prefixes.builder();
        values.forEach((prefix, value) -> {
            try {
                prefixes.add(Prefix.parse(prefix), value);
            } catch (Malformed e) {
                throw new AssertionError(e);
            }
        });
        return PrefixTable.of(prefixes.build());
    }

    /** Distances by the numbers of networks: of different ones their difference, or unknown. */
    private record Networks(Geolocation countries, PrefixTable networks, boolean tells) implements Geolocation {
        @Override
        public Optional<String> country(InetAddress address) {
            return countries.country(address);
        }

        @Override
        public OptionalDouble distance(InetAddress from, InetAddress to) {
            int one = networks.find(Addresses.high(from), Addresses.low(from));
            int other = networks.find(Addresses.high(to), Addresses.low(to));
            if (one == PrefixTable.NONE || other == PrefixTable.NONE) {
                return OptionalDouble.empty();
            }
            long distance = Math.abs(networks.value(one) - networks.value(other));
            return tells || distance == 0 ? OptionalDouble.of((double) distance) : OptionalDouble.empty();
        }
    }

    private static Geolocation geography() {
        PrefixTable countries = table(Map.of(
                "192.0.2.0/24", PrefixGeolocation.code("gb"),
                "198.51.100.0/24", PrefixGeolocation.code("FR"),
                "2001:db8::/32", PrefixGeolocation.code("GB")));
        PrefixTable networks = table(Map.of(
                "192.0.2.0/24", 10L,
                "10.1.0.0/16", 11L,
                "10.2.0.0/16", 12L,
                "10.3.0.0/16", 4_000_000_000L));
        return new Networks(new PrefixGeolocation(countries), networks, true);
    }

    private static HandleLocations locations(String xml) throws Malformed {
        return HandleLocations.read(xml.getBytes(StandardCharsets.UTF_8), Handle.of("10.5/x"));
    }

    /** The first words of the hosts that are chosen in many visits, in order. */
    private List<String> chosen(String xml, InetAddress from, String... wanted) throws Malformed {
        LocationClient visitor = new LocationClient(
                from, Arrays.stream(wanted).map(LocationClient.Wanted::parse).toList());
        HandleLocations locations = locations(xml);
        java.util.TreeSet<String> chosen = new java.util.TreeSet<>();
        for (int i = 0; i < 100; i++) {
            choice.choose(locations, visitor).ifPresent(each -> chosen.add(each.attribute("id").orElse("?")));
        }
        return List.copyOf(chosen);
    }

    @Test
    void theExampleOfTheManualIsReadAndChosenFrom() throws Malformed {
        assertThat(locations(EXAMPLE).steps()).containsExactly(SelectionStep.LOCATT, SelectionStep.COUNTRY, SelectionStep.WEIGHTED);
        assertThat(chosen(EXAMPLE, IN_BRITAIN)).containsExactly("0");
        assertThat(chosen(EXAMPLE, InetAddress.ofLiteral("2001:db8::5"))).containsExactly("0");
        assertThat(chosen(EXAMPLE, IN_FRANCE)).containsExactly("1", "2");
        assertThat(chosen(EXAMPLE, NOWHERE)).containsExactly("1", "2");
        assertThat(chosen(EXAMPLE, NOWHERE, "id:0")).containsExactly("0");
        assertThat(chosen(EXAMPLE, NOWHERE, "country:gb")).containsExactly("0");
        assertThat(chosen(EXAMPLE, NOWHERE, "country")).containsExactly("0");
    }

    @Test
    void aStepThatKeepsNothingIsUndone() throws Malformed {
        assertThat(chosen(EXAMPLE, NOWHERE, "id:9")).containsExactly("1", "2");
        assertThat(chosen(EXAMPLE, IN_FRANCE, "id:9", "id:0")).containsExactly("0");
        String abroad = "<locations><location id='1' href='a:b' country='de'/>"
                + "<location id='2' href='a:b' country='us'/></locations>";
        assertThat(chosen(abroad, IN_FRANCE)).containsExactly("1", "2");
    }

    @Test
    void chanceIsInProportionToWeights() throws Malformed {
        HandleLocations locations = locations("<locations><location id='a' href='a:b' weight='3'/><location id='b' href='a:b'/>"
                + "<location id='c' href='a:b' weight='0'/><location id='d' href='a:b' weight='-1'/></locations>");
        Map<String, Integer> times = new HashMap<>();
        for (int i = 0; i < 40_000; i++) {
            HandleLocation chosen = choice.choose(locations, new LocationClient(NOWHERE, List.of())).orElseThrow();
            times.merge(chosen.attribute("id").orElseThrow(), 1, Integer::sum);
        }
        assertThat(times).containsOnlyKeys("a", "b");
        assertThat(times.getOrDefault("a", 0) / 40_000.0).isCloseTo(0.75, within(0.02));
    }

    @Test
    void aWeightOfNothingIsChosenIfAlone() throws Malformed {
        assertThat(chosen("<locations><location id='a' href='a:b' weight='0'/></locations>", NOWHERE))
                .containsExactly("a");
        assertThat(chosen("<locations><location id='a' href='a:b' weight='0'/>"
                                + "<location id='b' href='a:b' weight='NaN' score='-1'/></locations>", NOWHERE))
                .containsExactly("a");
        assertThat(chosen("<locations/>", NOWHERE)).isEmpty();
    }

    @Test
    void addressesAndScoresNarrowDown() throws Malformed {
        String xml = "<locations><location id='a' href='a:b' address='192.0.2.1'/>"
                + "<location id='b' href='a:b' address='198.51.100.0/24, 2001:db8::/32'/>"
                + "<location id='c' href='a:b' score='2'/><location id='d' href='a:b' score='0.5'/>"
                + "<location id='e' href='a:b' address='/ x 1 ::/999'/></locations>";
        assertThat(chosen(xml, IN_BRITAIN)).containsExactly("a");
        assertThat(chosen(xml, IN_FRANCE)).containsExactly("b");
        assertThat(chosen(xml, InetAddress.ofLiteral("2001:db8::1"))).containsExactly("b");
        assertThat(chosen(xml, NOWHERE)).containsExactly("c");
    }

    @Test
    void theNearestIsChosenWhereDistancesAreKnown() throws Malformed {
        String xml = "<locations chooseby='nearest, nosuch'><location id='a' href='https://10.2.0.1/x'/>"
                + "<location id='b' href='https://www.example.org/' near='10.1.0.1'/>"
                + "<location id='c' href='https://10.3.0.1:8000/'/>"
                + "<location id='d' href='https://www.example.org/'/><location id='e' href='::'/></locations>";
        assertThat(locations(xml).steps()).containsExactly(SelectionStep.NEAREST);
        assertThat(chosen(xml, IN_BRITAIN)).containsExactly("b");
        assertThat(chosen(xml, InetAddress.ofLiteral("10.3.4.5"))).containsExactly("c");
        assertThat(chosen(xml, NOWHERE)).hasSize(5);
        LocationSelector ignorant = new LocationSelector(Geolocation.NONE, random);
        assertThat(ignorant.choose(locations(xml), new LocationClient(IN_BRITAIN, List.of()))).isPresent();
        Geolocation same =
                new Networks(new PrefixGeolocation(table(Map.of())), table(Map.of("10.1.0.0/16", 11L, "10.2.0.0/16", 12L)), false);
        assertThat(new LocationSelector(same, random).choose(locations(xml),
                new LocationClient(InetAddress.ofLiteral("10.2.0.9"), List.of())))
                .get().extracting(HandleLocation::href).isEqualTo("https://10.2.0.1/x");
        assertThat(same.country(IN_BRITAIN)).isEmpty();
    }

    @Test
    void aTemplateHoldsTheHandle() throws Malformed {
        var root = io.guidepost.handle.xml.XmlElement.read(
                "<namespace><location href_template='https://x/{hdl}'/><location href=' '/></namespace>"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(HandleLocations.of(root, Handle.of("10.5/a b+")).locations())
                .extracting(HandleLocation::href)
                .containsExactly("https://x/10.5%2Fa%20b%2B");
    }

    @Test
    void anotherDocumentIsRefused() {
        for (String each : List.of("", "x", "<other/>", "<locations>", "<locations></location>")) {
            assertThatThrownBy(() -> locations(each)).as(each).isInstanceOf(Malformed.class);
        }
        assertThatThrownBy(() -> PrefixGeolocation.code("USA")).isInstanceOf(IllegalArgumentException.class);
    }
}
