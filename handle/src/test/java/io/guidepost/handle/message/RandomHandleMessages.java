package io.guidepost.handle.message;

import static io.guidepost.handle.value.RandomValues.bytes;
import static io.guidepost.handle.value.RandomValues.handle;
import static io.guidepost.handle.value.RandomValues.list;
import static io.guidepost.handle.value.RandomValues.reference;
import static io.guidepost.handle.value.RandomValues.text;

import io.guidepost.handle.value.RandomValues;
import io.guidepost.handle.value.SiteRecord;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Well-formed messages of every kind, decided by a random generator. */
@SuppressWarnings("EnumOrdinal") // Any of the constants.
final class RandomHandleMessages {
    private static final ProtocolVersion[] VERSIONS = {
        new ProtocolVersion(2, 0), new ProtocolVersion(2, 3), new ProtocolVersion(2, 8), ProtocolVersion.CURRENT
    };

    private RandomHandleMessages() {}

    static HandleMessage any(SplittableRandom random) {
        HandleOperation operation = HandleOperation.values()[random.nextInt(HandleOperation.values().length)];
        ProtocolVersion version = VERSIONS[random.nextInt(VERSIONS.length)];
        int code = 0;
        MessageBody body;
        if (random.nextBoolean()) {
            body = of(operation.request(), version, random);
        } else if (random.nextBoolean()) {
            code = ResponseCode.SUCCESS.number();
            body = of(operation.reply(), version, random);
        } else {
            ResponseCode failed = ResponseCode.values()[1 + random.nextInt(ResponseCode.values().length - 1)];
            code = failed.number();
            body = failure(failed, version, random);
        }
        int flags = random.nextInt();
        Optional<RequestDigest> digest =
                code != 0 && OpFlag.RRDG.in(flags) ? Optional.of(digest(random)) : Optional.empty();
        return new HandleMessage(
                envelope(version, random),
                new MessageHeader(
                        operation.number(),
                        code,
                        flags,
                        random.nextInt(65536),
                        random.nextInt(256),
                        Integer.toUnsignedLong(random.nextInt())),
                digest,
                body,
                random.nextInt(3) == 0 ? Optional.of(credential(random)) : Optional.empty());
    }

    private static HandleEnvelope envelope(ProtocolVersion version, SplittableRandom random) {
        return new HandleEnvelope(
                version,
                new ProtocolVersion(random.nextInt(4), random.nextInt(256)),
                false,
                false,
                random.nextInt(8) == 0,
                random.nextInt(),
                random.nextInt(),
                random.nextInt(8) == 0 ? random.nextInt() : 0,
                0);
    }

    static MessageCredential credential(SplittableRandom random) {
        return new MessageCredential(handle(random), random.nextInt(), text(random), text(random), bytes(random, 40));
    }

    private static RequestDigest digest(SplittableRandom random) {
        DigestAlgorithm algorithm = DigestAlgorithm.values()[random.nextInt(4)];
        byte[] digest = new byte[algorithm.bytes()];
        random.nextBytes(digest);
        return new RequestDigest(algorithm, digest);
    }

    private static MessageBody failure(ResponseCode code, ProtocolVersion version, SplittableRandom random) {
        return switch (code) {
            case CHALLENGE ->
                version.atLeast(2, 1)
                        ? new MessageBody.Challenge(bytes(random, 20))
                        : new MessageBody.OldChallenge(bytes(random, 20), bytes(random, 20));
            case SERVICE_REFERRAL, PREFIX_REFERRAL ->
                random.nextInt(4) == 0
                        ? new MessageBody.Empty()
                        : new MessageBody.Referral(handle(random), list(random, 2, RandomValues::value));
            default -> random.nextInt(4) == 0 ? new MessageBody.Empty() : new MessageBody.Text(text(random));
        };
    }

    private static MessageBody of(HandleOperation.Shape shape, ProtocolVersion version, SplittableRandom random) {
        return switch (shape) {
            case EMPTY -> new MessageBody.Empty();
            case HANDLE -> random.nextInt(4) == 0 ? new MessageBody.Empty() : new MessageBody.Named(handle(random));
            case RESOLVE ->
                new MessageBody.Resolve(
                        handle(random), list(random, 3, SplittableRandom::nextInt), list(random, 3, RandomValues::text));
            case VALUES -> new MessageBody.Values(handle(random), list(random, 3, RandomValues::value));
            case INDEXES -> new MessageBody.Indexes(handle(random), list(random, 3, SplittableRandom::nextInt));
            case HANDLES -> new MessageBody.Handles(list(random, 5, RandomValues::handle));
            case SITE -> new MessageBody.Site(RandomValues.site(random));
            case ANSWER -> new MessageBody.Answer(text(random), reference(random), bytes(random, 40));
            case VERIFY ->
                new MessageBody.Verify(reference(random), bytes(random, 20), bytes(random, 32), bytes(random, 40));
            case VERIFIED -> new MessageBody.Verified(random.nextBoolean());
            case SETUP -> new MessageBody.Setup(exchange(random), random.nextInt(), reference(random));
            case SETUP_REPLY -> new MessageBody.SetupReply(random.nextInt(65536), bytes(random, 30));
            case KEY -> new MessageBody.Key(bytes(random, 40));
            case TRANSACTIONS -> new MessageBody.Transactions(position(version, random), receiver(random));
            case FOLLOWING -> random.nextInt(4) == 0 ? new MessageBody.Empty() : new MessageBody.Following(random.nextInt(256));
            case DUMP ->
                new MessageBody.Dump(receiver(random), random.nextBoolean() ? List.of() : List.of(reference(random)));
        };
    }

    private static KeyExchange exchange(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> new KeyExchange.ClientKey(bytes(random, 20));
            case 1 -> new KeyExchange.ServerKey();
            case 2 -> new KeyExchange.ReferredKey(reference(random));
            default -> new KeyExchange.DiffieHellman(bytes(random, 20));
        };
    }

    private static ReplicationPosition position(ProtocolVersion version, SplittableRandom random) {
        return version.marksPosition() && random.nextBoolean()
                ? new ReplicationPosition.State(text(random))
                : new ReplicationPosition.Last(random.nextLong(), random.nextLong(), version.marksPosition());
    }

    private static MirrorPartition receiver(SplittableRandom random) {
        return new MirrorPartition(SiteRecord.Hash.values()[random.nextInt(3)], random.nextInt(), random.nextInt());
    }
}
