package io.guidepost.server.gnrs;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A process that keeps a cache with one name, and says which descriptor its program has; until it is killed. */
final class KernelCacheKeeper {
    static final Guid NAME = new Guid(4, 5, 6);

    private KernelCacheKeeper() {}

    public static void main(String[] args) throws IOException {
        KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false);
        stand.put(NAME, List.of(Binding.of(new Locator(0, new byte[6]))));
        stand.fill(NAME);
        stand.cache.keepRenewing(GnrsSettings::defaults, () -> {});
        System.out.println(stand.program);
        System.in.read();
    }

    /** Returns a descriptor of this process for a program of another, which then outlives it. */
    static int programOf(long process, int descriptor) throws IOException {
        String number = Files.readAllLines(Path.of("/proc/" + process + "/fdinfo/" + descriptor)).stream()
                .filter(each -> each.startsWith("prog_id:"))
                .findFirst()
                .orElseThrow()
                .substring("prog_id:".length())
                .strip();
        return (int) SystemCall.checked(BpfCalls.program(Integer.parseInt(number)));
    }
}
