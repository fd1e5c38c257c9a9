package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads bodies; operation, response code and version determine the layout. */
final class MessageBodyReader {
    /** Bytes of a nonce, a proof, an encrypted key: those in use are below 1 KiB; larger keys give larger ones. */
    private static final int PROOF_BYTES_MAX = HandleLimits.KEY_RECORD_BYTES_MAX;

    private static final int TEXT_BYTES_MIN = 4;

    private MessageBodyReader() {}

    static MessageBody read(ProtocolVersion version, MessageHeader header, WireReader in) throws Malformed {
        Optional<HandleOperation> operation = HandleOperation.of(header.opcode());
        if (header.isRequest()) {
            return read(
                    operation.orElseThrow(() -> new Malformed(
                                    "no operation has the number " + Integer.toUnsignedString(header.opcode()),
                                    HandleWire.OPCODE))
                            .request(),
                    version,
                    in);
        }
        Optional<ResponseCode> code = ResponseCode.of(header.responseCode());
        if (code.isEmpty()) {
            return readText(in);
        }
        return switch (code.get()) {
            case SUCCESS -> operation.isEmpty() ? new MessageBody.Empty() : read(operation.get().reply(), version, in);
            case CHALLENGE -> readChallenge(version, in);
            case SERVICE_REFERRAL, PREFIX_REFERRAL -> readReferral(in);
            default -> readText(in);
        };
    }

    private static MessageBody read(HandleOperation.Shape shape, ProtocolVersion version, WireReader in) throws Malformed {
        return switch (shape) {
            case EMPTY -> new MessageBody.Empty();
            // Old servers do not repeat the handle, and some clients leave it out where it has no meaning.
            case HANDLE -> in.remaining() == 0 ? new MessageBody.Empty() : new MessageBody.Named(in.handle());
            case RESOLVE ->
                new MessageBody.Resolve(
                        in.handle(),
                        in.integers(HandleLimits.WANTED_MAX),
                        in.list(TEXT_BYTES_MIN, HandleLimits.WANTED_MAX, each -> each.text(HandleLimits.TYPE_BYTES_MAX)));
            case VALUES -> new MessageBody.Values(in.handle(), HandleValue.readList(in));
            case INDEXES -> new MessageBody.Indexes(in.handle(), in.integers(HandleLimits.WANTED_MAX));
            case HANDLES -> new MessageBody.Handles(in.list(TEXT_BYTES_MIN, HandleLimits.LISTED_MAX, WireReader::handle));
            case SITE -> new MessageBody.Site(SiteRecord.readPrefix(in));
            case ANSWER ->
                new MessageBody.Answer(
                        in.text(HandleLimits.TYPE_BYTES_MAX), ValueReference.readPrefix(in), in.bytes(PROOF_BYTES_MAX));
            case VERIFY ->
                new MessageBody.Verify(
                        ValueReference.readPrefix(in),
                        in.bytes(PROOF_BYTES_MAX),
                        in.bytes(PROOF_BYTES_MAX),
                        in.bytes(PROOF_BYTES_MAX));
            case VERIFIED -> new MessageBody.Verified(in.u8() == 1);
            case SETUP -> {
                int at = in.position();
                int mode = in.u16();
                int timeout = in.u32();
                ValueReference who = ValueReference.readPrefix(in);
                yield new MessageBody.Setup(KeyExchange.readPrefix(mode, at, in), timeout, who);
            }
            case SETUP_REPLY -> new MessageBody.SetupReply(in.u16(), in.bytes(PROOF_BYTES_MAX));
            case KEY -> new MessageBody.Key(in.bytes(PROOF_BYTES_MAX));
            case TRANSACTIONS ->
                new MessageBody.Transactions(ReplicationPosition.readPrefix(version, in), MirrorPartition.readPrefix(in));
            case FOLLOWING -> in.remaining() == 0 ? new MessageBody.Empty() : new MessageBody.Following(in.u8());
            case DUMP -> readDump(in);
        };
    }

    private static MessageBody readDump(WireReader in) throws Malformed {
        MirrorPartition receiver = MirrorPartition.readPrefix(in);
        List<ValueReference> from = new ArrayList<>();
        if (in.remaining() > 0) {
            from.add(ValueReference.readPrefix(in));
        }
        return new MessageBody.Dump(receiver, from);
    }

    private static MessageBody readText(WireReader in) throws Malformed {
        return in.remaining() == 0 ? new MessageBody.Empty() : new MessageBody.Text(in.text(HandleLimits.ARRAY_BYTES_MAX));
    }

    private static MessageBody readChallenge(ProtocolVersion version, WireReader in) throws Malformed {
        byte[] nonce = in.bytes(PROOF_BYTES_MAX);
        return version.atLeast(2, 1)
                ? new MessageBody.Challenge(nonce)
                : new MessageBody.OldChallenge(nonce, in.bytes(PROOF_BYTES_MAX));
    }

    /** Reads a referral. In old versions its code may also mean, with an empty body, that the server is read-only. */
    private static MessageBody readReferral(WireReader in) throws Malformed {
        if (in.remaining() == 0) {
            return new MessageBody.Empty();
        }
        return new MessageBody.Referral(in.handle(), in.remaining() == 0 ? List.of() : HandleValue.readList(in));
    }
}
