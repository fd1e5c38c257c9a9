package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.server.config.Configuration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the keys of feeds are for a session, whose own tests show what it does with them. */
class FeedKeysTest {
    @Test
    void feedsAreAsTheirKeysSay() throws Exception {
        FeedSettings settings = FeedSettings.of(Configuration.load(null, Map.of(), List.of(
                "proximity.bgp-listen=127.0.0.3:0",
                "proximity.bgp-as=64501",
                "proximity.bmp-listen=127.0.0.4:1790",
                "proximity.routers=edge1=10.1.0.1,AS64500=10.1.0.2",
                "proximity.grace-seconds=7")));
        assertThat(settings.as()).isEqualTo(64_501);
        assertThat(settings.identifier()).as("the address that routers connect to").isEqualTo(0x7f000003);
        assertThat(settings.bmpListen().orElseThrow().getPort()).isEqualTo(1790);
        assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(7));
        Address unknown = Address.parse("192.0.2.1");
        assertThat(settings.routers().find(unknown, "edge1")).isPresent();
        assertThat(settings.routers().find(unknown, "AS64500")).isPresent();
        assertThat(settings.routers().find(unknown, "edge2")).isEmpty();
    }
}
