package io.guidepost.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.RunningServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocol of sd_notify(3), seen from the socket of the service manager. */
class ServiceManagerTest {
    private static final long PID = 4711;

    @TempDir
    private Path folder;

    private Map<String, String> environment(String... more) {
        Map<String, String> all = new HashMap<>(Map.of("NOTIFY_SOCKET", folder.resolve("notify").toString()));
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    @Test
    void theStepsOfALifeAreTold() throws Exception {
        try (NotifyListener listener = NotifyListener.in(folder)) {
            ServiceManager manager = new ServiceManager(environment(), PID);
            manager.ready("answers", () -> true);
            assertThat(listener.next()).isEqualTo("READY=1\nSTATUS=answers");
            long before = System.nanoTime() / 1000;
            manager.reloading(() -> assertThat(listener.next()).startsWith("RELOADING=1\nMONOTONIC_USEC=").satisfies(each ->
                    assertThat(Long.parseLong(each.substring(each.lastIndexOf('=') + 1))).isBetween(before, System.nanoTime() / 1000)));
            assertThat(listener.next()).isEqualTo("READY=1");
            manager.stopping();
            manager.stopping();
            assertThat(listener.next()).isEqualTo("STOPPING=1");
            assertThat(listener.poll()).as("once").isEmpty();
        }
    }

    @Test
    void anAbstractSocketIsReached() throws Exception {
        String path = "@guidepost-test-" + ProcessHandle.current().pid();
        try (NotifyListener listener = new NotifyListener(path)) {
            new ServiceManager(Map.of("NOTIFY_SOCKET", path), PID).stopping();
            assertThat(listener.next()).isEqualTo("STOPPING=1");
        }
    }

    /** Without a manager, and with one that has gone, a server does what it does otherwise. */
    @Test
    void aServerDoesNotNeedAManager() {
        new ServiceManager(Map.of(), PID).stopping();
        new ServiceManager(environment(), PID).stopping();
        new ServiceManager(Map.of("NOTIFY_SOCKET", "/" + "x".repeat(200)), PID).stopping();
    }

    @Test
    void beatsAreLeftOutWhileWorkersDoNotAnswer() throws Exception {
        boolean[] answers = {true, false, false, true};
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(answers.length + 1);
        try (NotifyListener listener = NotifyListener.in(folder)) {
            ServiceManager manager = new ServiceManager(environment("WATCHDOG_USEC", "3000", "WATCHDOG_PID", "" + PID), PID);
            manager.ready("answers", () -> {
                all.countDown();
                int i = asked.getAndIncrement();
                return i < answers.length && answers[i];
            });
            all.await();
            manager.stopping();
            List<String> told = new ArrayList<>();
            for (String each = listener.next(); !each.equals("STOPPING=1"); each = listener.next()) {
                told.add(each);
            }
            assertThat(told).containsExactly("READY=1\nSTATUS=answers", "WATCHDOG=1", "WATCHDOG=1");
        }
    }

    @Test
    void theWatchdogOfAnotherProcessIsNotOurs() throws Exception {
        try (NotifyListener listener = NotifyListener.in(folder)) {
            ServiceManager manager = new ServiceManager(environment("WATCHDOG_USEC", "3000", "WATCHDOG_PID", "1"), PID);
            manager.ready("answers", () -> {
                throw new AssertionError("not to be asked");
            });
            manager.stopping();
            assertThat(listener.next()).startsWith("READY=1");
            assertThat(listener.next()).isEqualTo("STOPPING=1");
        }
    }

    /** A real server: its workers turn though nothing comes, and the manager hears of a reload and of the end. */
    @Test
    void aServerTellsItsManager() throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        command.addAll(BuiltServer.command(List.of(
                "serve", "--set", "store.folder=" + folder.resolve("store"), "--set", "gnrs.port=0", "--set", "admin.port=0")));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment("WATCHDOG_USEC", "600000"));
        try (NotifyListener listener = NotifyListener.in(folder)) {
            Process server = builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
            try {
                assertThat(listener.next()).isEqualTo("READY=1\nSTATUS=answers");
                assertThat(listener.next()).isEqualTo("WATCHDOG=1");
                assertThat(listener.next()).as("an idle worker turns").isEqualTo("WATCHDOG=1");
                assertThat(new ProcessBuilder("kill", "-HUP", "" + server.pid()).start().waitFor()).isZero();
                assertThat(nextButBeats(listener)).startsWith("RELOADING=1\n");
                assertThat(nextButBeats(listener)).isEqualTo("READY=1");
                server.destroy();
                assertThat(nextButBeats(listener)).isEqualTo("STOPPING=1");
                assertThat(server.waitFor()).isZero();
            } finally {
                server.destroyForcibly();
            }
        }
    }

    private static String nextButBeats(NotifyListener listener) {
        String next = listener.next();
        while (next.equals("WATCHDOG=1")) {
            next = listener.next();
        }
        return next;
    }

    /** Workers that idle turn by themselves; those that have ended do not, as one that is stuck would not. */
    @Test
    void turnsAreSeenOfWorkersThatRunAlone() throws Exception {
        RunningServer running = RunningServer.start(folder);
        try (running) {
            assertThat(running.server().workersTurn()).as("nothing to compare with").isTrue();
            assertThat(RunningServer.eventually(running.server()::workersTurn)).isTrue();
        }
        running.server().workersTurn();
        assertThat(running.server().workersTurn()).isFalse();
    }
}
