package io.guidepost.handle.message;

import io.guidepost.handle.HandleValue;
import io.guidepost.handle.Limits;
import io.guidepost.handle.SiteRecord;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.WireReader;
import io.guidepost.names.Malformed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads bodies: which layout one has is said by operation, response code and version. */
final class BodyReader {
    /** Bytes of a nonce, a proof, an encrypted key: those that exist have below 1 KiB; larger keys give larger ones. */
    private static final int PROOF_BYTES_MAX = Limits.KEY_RECORD_BYTES_MAX;

    private static final int TEXT_BYTES_MIN = 4;

    private BodyReader() {}

    static Body read(ProtocolVersion version, Header header, WireReader in) throws Malformed {
        Optional<Operation> operation = Operation.of(header.opcode());
        if (header.isRequest()) {
            return read(
                    operation.orElseThrow(() -> new Malformed(
                                    "no operation has the number " + Integer.toUnsignedString(header.opcode()),
                                    Wire.OPCODE))
                            .request(),
                    version,
                    in);
        }
        Optional<ResponseCode> code = ResponseCode.of(header.responseCode());
        if (code.isEmpty()) {
            return readText(in);
        }
        return switch (code.get()) {
            case SUCCESS -> operation.isEmpty() ? new Body.Empty() : read(operation.get().reply(), version, in);
            case CHALLENGE -> readChallenge(version, in);
            case SERVICE_REFERRAL, PREFIX_REFERRAL -> readReferral(in);
            default -> readText(in);
        };
    }

    private static Body read(Operation.Shape shape, ProtocolVersion version, WireReader in) throws Malformed {
        return switch (shape) {
            case EMPTY -> new Body.Empty();
            // Old servers do not repeat the handle, and some clients leave it out where it has no meaning.
            case HANDLE -> in.remaining() == 0 ? new Body.Empty() : new Body.Named(in.handle());
            case RESOLVE ->
                new Body.Resolve(
                        in.handle(),
                        in.integers(Limits.WANTED_MAX),
                        in.list(TEXT_BYTES_MIN, Limits.WANTED_MAX, each -> each.text(Limits.TYPE_BYTES_MAX)));
            case VALUES -> new Body.Values(in.handle(), HandleValue.readList(in));
            case INDEXES -> new Body.Indexes(in.handle(), in.integers(Limits.WANTED_MAX));
            case HANDLES -> new Body.Handles(in.list(TEXT_BYTES_MIN, Limits.LISTED_MAX, WireReader::handle));
            case SITE -> new Body.Site(SiteRecord.readPrefix(in));
            case ANSWER ->
                new Body.Answer(
                        in.text(Limits.TYPE_BYTES_MAX), ValueReference.readPrefix(in), in.bytes(PROOF_BYTES_MAX));
            case VERIFY ->
                new Body.Verify(
                        ValueReference.readPrefix(in),
                        in.bytes(PROOF_BYTES_MAX),
                        in.bytes(PROOF_BYTES_MAX),
                        in.bytes(PROOF_BYTES_MAX));
            case VERIFIED -> new Body.Verified(in.u8() == 1);
            case SETUP -> {
                int at = in.position();
                int mode = in.u16();
                int timeout = in.u32();
                ValueReference who = ValueReference.readPrefix(in);
                yield new Body.Setup(KeyExchange.readPrefix(mode, at, in), timeout, who);
            }
            case SETUP_REPLY -> new Body.SetupReply(in.u16(), in.bytes(PROOF_BYTES_MAX));
            case KEY -> new Body.Key(in.bytes(PROOF_BYTES_MAX));
            case TRANSACTIONS ->
                new Body.Transactions(ReplicationPosition.readPrefix(version, in), Receiver.readPrefix(in));
            case FOLLOWING -> in.remaining() == 0 ? new Body.Empty() : new Body.Following(in.u8());
            case DUMP -> readDump(in);
        };
    }

    private static Body readDump(WireReader in) throws Malformed {
        Receiver receiver = Receiver.readPrefix(in);
        List<ValueReference> from = new ArrayList<>();
        if (in.remaining() > 0) {
            from.add(ValueReference.readPrefix(in));
        }
        return new Body.Dump(receiver, from);
    }

    private static Body readText(WireReader in) throws Malformed {
        return in.remaining() == 0 ? new Body.Empty() : new Body.Text(in.text(Limits.ARRAY_BYTES_MAX));
    }

    private static Body readChallenge(ProtocolVersion version, WireReader in) throws Malformed {
        byte[] nonce = in.bytes(PROOF_BYTES_MAX);
        return version.atLeast(2, 1)
                ? new Body.Challenge(nonce)
                : new Body.OldChallenge(nonce, in.bytes(PROOF_BYTES_MAX));
    }

    /** In old versions the code of a referral may say that the server takes no changes, without a word. */
    private static Body readReferral(WireReader in) throws Malformed {
        if (in.remaining() == 0) {
            return new Body.Empty();
        }
        return new Body.Referral(in.handle(), in.remaining() == 0 ? List.of() : HandleValue.readList(in));
    }
}
