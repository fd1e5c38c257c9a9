package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * One copy, no lock: what the classes on the way of a look-up (ARCHITECTURE.md, "The life of a lookup") copy and lock, read from
 * their bytecode. Time would not show one more copy of some fifty bytes; the call is there all the same.
 */
class HotPathTest {
    private static final List<String> WAY = List.of(
            "packet.udp.KernelRx", "packet.Burst", "packet.worker.Worker", "packet.worker.DatagramResponder",
            "packet.admission.AdmissionHandler", "packet.admission.FairQueue", "packet.admission.MaxMinLimiter",
            "server.service.DoorHandler", "names.Exchange", "gnrs.GnrsDoor", "gnrs.wire.GnrsMessageFlyweight", "gnrs.LookupHandler",
            "gnrs.ResponseWriter", "store.index.IndexReader", "store.index.ReadIndex", "store.index.ShardTable", "store.RecordImage",
            "packet.udp.KernelTx", "packet.ip.HostRx", "packet.ip.HostTx", "alto.proxidor.ProxidorDoor");

    /** The commonest answer is the copy in LookupHandler.plain; the others are of longer ways, of writes, and of starting. */
    @Test
    void aLookupIsOneCopyAndTakesNoLock() throws IOException {
        assertThat(WAY.stream().map(HotPathTest::sites).filter(each -> !each.isEmpty()).collect(Collectors.joining()))
                .isEqualTo("""
                        Burst.copy: copy 1
                        Burst.remove: copy 1
                        Burst.removeFirst: copy 1
                        Burst.take: copy 1
                        Worker.add: lock 1
                        Worker.start: lock 1
                        Worker.watch: lock 2
                        GnrsDoor.nextFromEngine: copy 1
                        GnrsDoor.takeSeveral: copy 1
                        LookupHandler.addresses: copy 1
                        LookupHandler.plain: copy 1
                        LookupHandler.times: copy 2
                        ReadIndex.address: copy 1
                        ReadIndex.hash: copy 1
                        ReadIndex.remove: copy 1
                        ShardTable.roomy: copy 1
                        RecordImage.check: copy 1
                        RecordImage.read: copy 3
                        RecordImage.write: copy 2
                        RecordImage.writeHeader: copy 1
                        ProxidorDoor.copy: copy 3
                        ProxidorDoor.write: copy 1
                        """);
    }

    /** The copies and locks in a class, a line for each method that has some. */
    private static String sites(String name) {
        Map<String, Integer> sites = new TreeMap<>();
        for (MethodModel method : model(name).methods()) {
            String where = name.substring(name.lastIndexOf('.') + 1) + "." + method.methodName().stringValue() + ": ";
            if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
                sites.merge(where + "lock", 1, Integer::sum);
            }
            method.code().ifPresent(code -> code.forEach(each -> {
                String site = site(each);
                if (!site.isEmpty()) {
                    sites.merge(where + site, 1, Integer::sum);
                }
            }));
        }
        return sites.entrySet().stream().map(each -> each.getKey() + " " + each.getValue() + "\n").collect(Collectors.joining());
    }

    private static ClassModel model(String name) {
        String file = "/io/guidepost/" + name.replace('.', '/') + ".class";
        try (InputStream in = HotPathTest.class.getResourceAsStream(file)) {
            assertThat(in).as(file).isNotNull();
            return ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String site(CodeElement element) {
        return switch (element) {
            case MonitorInstruction _ -> "lock";
            case InvokeInstruction call when call.owner().asInternalName().startsWith("java/util/concurrent/locks/")
                    && !call.owner().asInternalName().endsWith("/LockSupport") -> "lock";
            case InvokeInstruction call when call.name().stringValue().toLowerCase(Locale.ROOT).contains("copy") ->
                "copy";
            default -> "";
        };
    }
}
