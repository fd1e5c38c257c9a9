package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.message.ReplicationPosition;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.ReplicationSource;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves mirrors with the streams {@link TransactionStream} and {@link DumpStream}. A slow mirror blocks its own thread
 * (backpressure), and pins no more of this server than one piece of a scan. Thread-safe.
 */
public final class ReplicationServer implements ReplicationSource {
    /**
     * Sent in clear between response and stream: TLS follows, with this server in the server role, and its site's key.
     */
    private static final byte[] TLS_MARK = {'T', 'L', 'S', 0};

    /** Bytes of one write: some TLS records, and little memory if many mirrors are slow. */
    private static final int CHUNK_BYTES = 64 * 1024;

    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final TransactionLog transactions;

    /** Creates it over records, and the log of their changes. */
    public ReplicationServer(HandleRecords records, HomedPrefixes homes, TransactionLog transactions) {
        this.records = records;
        this.homes = homes;
        this.transactions = transactions;
    }

    /** Returns the mark between response and stream; the transport sends it in clear, and starts TLS after it. */
    public static byte[] tlsMark() {
        return TLS_MARK.clone();
    }

    @Override
    public void answer(HandleRequest call, HandleMessage request, ValueReference mirror, Answer answer) throws IOException {
        if (call.transport() != HandleRequest.Transport.TCP) {
            answer.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "streams of replication go over TCP");
            return;
        }
        try {
            switch (request.body()) {
                case MessageBody.Transactions(ReplicationPosition.Last last, var receiver) ->
                    sendTransactions(
                            new TransactionPosition(last.transactionId(), last.dateMillis()), receiver.checked(), answer);
                case MessageBody.Transactions _ ->
                    answer.refuse(
                            ResponseCode.OPERATION_NOT_SUPPORTED,
                            "transactions of other sources are not kept; ask by number and time");
                case MessageBody.Dump dump ->
                    sendDump(dump.receiver().checked(), dump.from().stream().findFirst().orElse(null), answer);
                default -> answer.refuse(ResponseCode.PROTOCOL_ERROR, "that is no request of a mirror");
            }
        } catch (IllegalArgumentException e) {
            answer.refuse(ResponseCode.PROTOCOL_ERROR, String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void sendTransactions(TransactionPosition from, MirrorPartition share, Answer answer) throws IOException {
        TransactionPosition settled = transactions.settled();
        OutgoingStream sending = new OutgoingStream(answer);
        answer.begin(new MessageBody.Following(ReplicationPosition.LAST));
        if (!transactions.reaches(from, settled, !share.isWhole())) {
            TransactionStream.needsDump(sending.out);
            sending.flush();
            return;
        }
        TransactionStream.begin(sending.out);
        transactions.visit(from.transactionId(), each -> {
            if (each.action().isOfPrefix() || share.contains(each.handle())) {
                send(each, sending);
            }
            return true;
        });
        TransactionStream.end(settled.dateMillis(), sending.out);
        sending.flush();
    }

    private void send(Transaction transaction, OutgoingStream sending) {
        try {
            if (!transaction.action().hasValues()) {
                TransactionStream.transaction(transaction, List.of(), sending.out);
            } else {
                Optional<HandleRecord> found = records.find(transaction.handle());
                if (found.isEmpty()) {
                    // It was deleted since; a later transaction tells so.
                    return;
                }
                Handle spelled = found.get().handle();
                TransactionStream.transaction(
                        new Transaction(transaction.id(), spelled, transaction.action(), transaction.dateMillis()),
                        found.get().values(),
                        sending.out);
            }
            sending.flushIfLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendDump(MirrorPartition share, @Nullable ValueReference from, Answer answer) throws IOException {
        TransactionPosition settled = transactions.settled();
        answer.begin(new MessageBody.Empty());
        OutgoingStream sending = new OutgoingStream(answer);
        Handle after = null;
        String afterPrefix = "";
        DumpStream.begin(sending.out);
        if (from == null) {
            DumpStream.position(settled, sending.out);
        } else {
            after = from.index() == DumpStream.BEHIND_RECORD ? from.handle() : null;
            afterPrefix = from.index() == DumpStream.BEHIND_PREFIX ? from.handle().toString() : "";
        }
        if (afterPrefix.isEmpty()) {
            records.scan(new byte[0], after, each -> {
                if (share.contains(each.handle())) {
                    send(each.handle(), each.values(), sending);
                }
                return true;
            });
        }
        for (String each : homes.all().tailSet(afterPrefix, false)) {
            DumpStream.prefix(Handle.of(each), sending.out);
        }
        DumpStream.end(sending.out);
        sending.flush();
    }

    private void send(Handle handle, List<HandleValue> values, OutgoingStream sending) {
        try {
            DumpStream.record(handle, values, sending.out);
            sending.flushIfLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A stream being sent: buffers until a write is worth while. */
    private static final class OutgoingStream {
        private final Answer answer;
        private WireWriter out = new WireWriter();

        OutgoingStream(Answer answer) {
            this.answer = answer;
        }

        void flushIfLong() throws IOException {
            if (out.length() >= CHUNK_BYTES) {
                flush();
            }
        }

        void flush() throws IOException {
            byte[] bytes = out.toBytes();
            out = new WireWriter();
            answer.stream(bytes, 0, bytes.length);
        }
    }
}
