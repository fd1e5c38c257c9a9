package io.guidepost.packet.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DpdkAbi23Test {
    @TempDir
    Path folder;

    @Test
    void theOffsetsAreThoseOfTheHeaders() throws Exception {
        assumeTrue(said("pkg-config", "--modversion", "libdpdk").startsWith("22.11"), "no headers of DPDK 22.11 here");
        List<String> compile = new ArrayList<>(List.of("cc"));
        compile.addAll(List.of(said("pkg-config", "--cflags", "libdpdk").strip().split(" +")));
        String program = folder.resolve("dpdk_layout").toString();
        compile.addAll(List.of("-o", program, Path.of("src/main/c/dpdk_layout.c").toString()));
        assertThat(said(compile.toArray(String[]::new))).isEmpty();

        Map<String, Long> inC = new TreeMap<>();
        said(program).lines().map(line -> line.split(" ")).forEach(row -> inC.put(row[0], Long.parseLong(row[1])));
        Map<String, Long> inJava = new TreeMap<>();
        for (Field field : DpdkAbi23.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                inJava.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        assertThat(inJava).isEqualTo(inC);
        assertThat(inC).hasSizeGreaterThan(50);
    }

    /** What a program writes; of one that is missing nothing. */
    private static String said(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return text;
        } catch (UncheckedIOException | IOException e) {
            return "";
        }
    }
}
