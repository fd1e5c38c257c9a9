package io.guidepost.server.dns;

import io.guidepost.base.SharedCounters;
import io.guidepost.dns.DnsSettings;
import io.guidepost.dns.transfer.NotifyMessage;
import io.guidepost.dns.transfer.TransferCount;
import io.guidepost.dns.transfer.ZoneJournal;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Tells secondaries that the zone has changed (RFC 1996), each on a thread of its own: once at the start, then at most once a second,
 * and again until it is acknowledged.
 */
final class NotifySender implements AutoCloseable {
    private static final Logger LOG = System.getLogger(NotifySender.class.getName());

    /** Changes of so long are told of together, as a secondary asks for all of them. */
    private static final long GATHER_MILLIS = 1000;

    private static final long LOOK_MILLIS = 1000;
    private static final int TRIES = 5;
    private static final int ANSWER_BYTES_MAX = 512;
    private static final int FIRST_WAIT_MILLIS = 1000;

    private final Supplier<DnsSettings> settings;
    private final ZoneJournal journal;
    private final InetAddress from;
    private final RandomGenerator random;
    private final SharedCounters<TransferCount> counts;
    private final Map<InetSocketAddress, Thread> threads = new HashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * Tells no secondary yet.
     *
     * @param from address that it is sent from
     * @param random draws the ids of messages
     */
    NotifySender(
            Supplier<DnsSettings> settings,
            ZoneJournal journal,
            InetAddress from,
            RandomGenerator random,
            SharedCounters<TransferCount> counts) {
        this.settings = settings;
        this.journal = journal;
        this.from = from;
        this.random = random;
        this.counts = counts;
    }

    /** Begins to tell the secondaries in force, and ends with those that are no longer. */
    synchronized void follow() {
        DnsSettings now = settings.get();
        threads.entrySet().removeIf(each -> {
            boolean gone = !now.notified().contains(each.getKey());
            if (gone) {
                each.getValue().interrupt();
            }
            return gone;
        });
        for (InetSocketAddress each : now.notified()) {
            threads.computeIfAbsent(each, to -> Thread.ofVirtual().name("dns-notify-" + to).start(() -> run(to)));
        }
    }

    private void run(InetSocketAddress to) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(from, 0))) {
            socket.connect(to);
            int told = journal.serial() - 1;
            while (!Thread.currentThread().isInterrupted()) {
                int serial = journal.await(told, LOOK_MILLIS);
                if (serial != told) {
                    tell(socket, to);
                    told = serial;
                    if (closing.await(GATHER_MILLIS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            LOG.log(Logger.Level.WARNING, "{0} is not told of changes any more: {1}", to, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(DatagramSocket socket, InetSocketAddress to) throws IOException {
        int id = random.nextInt(1 << Short.SIZE);
        byte[] message = NotifyMessage.write(settings.get().zone(), id);
        for (int i = 0; i < TRIES && !Thread.currentThread().isInterrupted(); i++) {
            counts.add(TransferCount.NOTIFIES_SENT);
            if (isAcknowledged(socket, message, id, FIRST_WAIT_MILLIS << i)) {
                counts.add(TransferCount.NOTIFIES_ACKNOWLEDGED);
                return;
            }
        }
        counts.add(TransferCount.NOTIFIES_GIVEN_UP);
        LOG.log(Logger.Level.DEBUG, "{0} does not acknowledge that the zone has changed", to);
    }

    private static boolean isAcknowledged(DatagramSocket socket, byte[] message, int id, int millis) throws IOException {
        byte[] bytes = new byte[ANSWER_BYTES_MAX];
        DatagramPacket answer = new DatagramPacket(bytes, bytes.length);
        socket.setSoTimeout(millis);
        try {
            socket.send(new DatagramPacket(message, message.length));
            do {
                socket.receive(answer);
            } while (!NotifyMessage.isAcknowledgement(bytes, answer.getLength(), id));
            return true;
        } catch (SocketTimeoutException | PortUnreachableException e) {
            return false;
        }
    }

    /** Ends all threads. */
    @Override
    public synchronized void close() {
        closing.countDown();
        threads.values().forEach(Thread::interrupt);
        threads.clear();
    }
}
