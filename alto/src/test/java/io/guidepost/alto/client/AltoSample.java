package io.guidepost.alto.client;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.base.FaultyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small network, told in files. */
public final class AltoSample {
    private AltoSample() {}

    /** Reads it, with a cost from {@code home} to {@code far} as given. */
    public static AltoSnapshot information(Path folder, long version, double cost) throws IOException, FaultyFile {
        write(folder, "map.json", """
            {"meta":{"vtag":{"resource-id":"net","tag":"x"}},"network-map":{
              "home":{"ipv4":["127.0.0.0/8","192.0.2.0/24"],"ipv6":["2001:db8:1::/48"]},
              "near":{"ipv4":["198.51.100.0/24"]},
              "far":{"ipv4":["0.0.0.0/0"],"ipv6":["::/0"]}}}""");
        write(folder, "routingcost.json", """
            {"meta":{"dependent-vtags":[{"resource-id":"net","tag":"x"}],
              "cost-type":{"cost-mode":"numerical","cost-metric":"routingcost"}},
             "cost-map":{"home":{"home":0,"near":5,"far":%s},"near":{"home":5,"near":0},"far":{"far":1}}}"""
                .formatted(cost));
        write(folder, "hopcount.json", """
            {"meta":{"dependent-vtags":[{"resource-id":"net","tag":"x"}],
              "cost-type":{"cost-mode":"numerical","cost-metric":"hopcount"}},
             "cost-map":{"home":{"home":1,"near":2,"far":9}}}""");
        write(folder, "properties.json", """
            {"endpoint-properties":{"ipv4:192.0.2.7":{"priv:kind":"cache"}}}""");
        return AltoMapFiles.read(List.of(folder), version);
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
