package io.guidepost.server.service;

import io.guidepost.packet.linux.NotifySocket;
import java.io.IOException;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The service manager that started this process, systemd or one that speaks its protocol (sd_notify(3)): it is told when the server
 * is ready, reloads and stops, and hears a beat as long as the server answers. Without one all of this does nothing. Thread-safe.
 */
public final class ServiceManager {
    /** Beats in the time after which the manager gives the server up: two may be late. */
    private static final int BEATS = 3;

    private final String socket;
    private final Duration watchdog;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Takes what the manager has put into the environment of the process. */
    public ServiceManager(Map<String, String> environment, long pid) {
        socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        String watched = environment.getOrDefault("WATCHDOG_PID", "");
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        boolean ours = (watched.isEmpty() || watched.equals(Long.toString(pid))) && micros.matches("\\d{1,15}");
        watchdog = ours ? Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros))) : Duration.ZERO;
    }

    /**
     * Tells that the server answers, and begins to beat.
     *
     * @param status in words
     * @param answers whether it has answered, or could have, since it was last asked; a beat is left out where not
     */
    public void ready(String status, BooleanSupplier answers) {
        send("READY=1\nSTATUS=" + status);
        if (!socket.isEmpty() && watchdog.isPositive()) {
            Thread.ofPlatform().name("guidepost-watchdog").daemon(true).start(() -> beat(answers));
        }
    }

    private void beat(BooleanSupplier answers) {
        boolean answered = true;
        try {
            do {
                boolean now = answers.getAsBoolean();
                if (now) {
                    send("WATCHDOG=1");
                } else if (answered) {
                    log(Logger.Level.ERROR, "a worker does not answer; the service manager hears no beat");
                }
                answered = now;
            } while (!closing.await(watchdog.toNanos() / BEATS, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells that a reload begins, does it, and tells that it is over. */
    public void reloading(Runnable reload) {
        reloads();
        try {
            reload.run();
        } finally {
            goesOn();
        }
    }

    /** Tells that a reload begins, or that another process takes over. */
    public void reloads() {
        // The clock of nanoTime is the one that systemd asks for, CLOCK_MONOTONIC.
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
    }

    /** Tells that what was begun by {@link #reloads} is over, and nothing has changed. */
    public void goesOn() {
        send("READY=1");
    }

    /** Tells that another process is the server from now on; nothing is told by this one after that. */
    public void replaced(long process) {
        if (stopping.compareAndSet(false, true)) {
            send("MAINPID=" + process);
            closing.countDown();
        }
    }

    /** Tells that the server ends, once. The manager counts no beats from then on. */
    public void stopping() {
        if (stopping.compareAndSet(false, true)) {
            send("STOPPING=1");
            closing.countDown();
        }
    }

    private void send(String state) {
        if (socket.isEmpty()) {
            return;
        }
        try {
            NotifySocket.send(socket, state);
        } catch (IOException e) {
            log(Logger.Level.WARNING, "the service manager is not told " + state.lines().findFirst().orElse("") + ": " + e.getMessage());
        }
    }

    /** This is made before the configuration has said how the log looks, and a logger in a static field would fix that. */
    private static void log(Logger.Level level, String message) {
        System.getLogger(ServiceManager.class.getName()).log(level, message);
    }
}
