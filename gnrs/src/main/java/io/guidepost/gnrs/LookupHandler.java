package io.guidepost.gnrs;

import io.guidepost.base.Memory;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Answers LOOKUP. The commonest answer is a header and one copy out of the store; all others are gathered first, and
 * fitted to the size bound. Allocates nothing. Not thread-safe: each worker has one, and each deferred look-up.
 */
final class LookupHandler {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    /** The index does not know; nothing was written. */
    static final int UNKNOWN = -1;

    private static final byte GUIDS = Name.Namespace.GUID.code();

    private GnrsSettings settings;
    private int amplificationMax;
    private int answerBytesMax;
    private final Placer placer;
    private final ResponseWriter reply;
    private final boolean relayed;
    private final AnswerBuilder gathering = new AnswerBuilder();
    private final AliasResolver chain = new AliasResolver(gathering);

    private GnrsCount outcome = GnrsCount.LOOKUPS_EMPTY;
    private long events;
    private @Nullable NearestFirstOrder nearest;

    LookupHandler(GnrsSettings settings, Placer placer) {
        this(settings, placer, false);
    }

    private LookupHandler(GnrsSettings settings, Placer placer, boolean relayed) {
        this.relayed = relayed;
        follow(settings);
        this.placer = placer;
        this.reply = new ResponseWriter(settings);
    }

    /**
     * Creates the look-ups whose reader knows of other servers: a name that it does not find has no bindings, wherever
     * it is placed. As in V1.0, an answer merged from several servers has options only if there are times to tell.
     */
    static LookupHandler relayed(GnrsSettings settings) {
        return new LookupHandler(settings, Placer.EVERYTHING_HERE, true);
    }

    /** Follows new settings, but for the advertised address. */
    final void follow(GnrsSettings next) {
        settings = next;
        amplificationMax = next.amplificationMax();
        answerBytesMax = next.answerBytesMax();
    }

    /** Makes truncated answers keep the nearest places; the order belongs to this object. */
    void nearestFirst(NearestFirstOrder order) {
        nearest = order;
    }

    /** Returns the outcome of the last answer: FOUND, EMPTY or ELSEWHERE. */
    GnrsCount outcome() {
        return outcome;
    }

    /** Returns the other events of the last answer, see {@link AnswerBuilder#events}. */
    long events() {
        return events;
    }

    /** Writes the answer into the exchange's buffer and returns its length, or {@link #UNKNOWN}. */
    int answer(Exchange exchange, GnrsMessageFlyweight question, RecordReader reader) {
        events = 0;
        return switch (reader.find(GUIDS, question.segment(), question.guid(), Guid.BYTES)) {
            case YES -> found(exchange, question, reader);
            case NO -> notFound(exchange, question);
            case UNKNOWN -> UNKNOWN;
        };
    }

    /**
     * Writes the commonest answer, one copy out of the store, and returns its length; {@link #UNKNOWN} if the record is
     * not there, or the answer needs more than a copy.
     */
    int plainly(Exchange exchange, GnrsMessageFlyweight question, RecordReader reader) {
        events = 0;
        return reader.find(GUIDS, question.segment(), question.guid(), Guid.BYTES) == RecordReader.Found.YES
                ? asItStands(exchange, question, reader)
                : UNKNOWN;
    }

    private int found(Exchange exchange, GnrsMessageFlyweight question, RecordReader reader) {
        int length = relayed ? UNKNOWN : asItStands(exchange, question, reader);
        return length == UNKNOWN ? gathered(exchange, question, reader) : length;
    }

    private int asItStands(Exchange exchange, GnrsMessageFlyweight question, RecordReader reader) {
        MemorySegment image = Memory.known(reader.segment());
        long offset = reader.offset();
        int slow = (question.recursive() ? RecordImage.CHAINED : 0) | (question.accepts() ? 0 : RecordImage.EXTENDED);
        int head = RecordImage.head(image, offset);
        if ((head >>> RecordImage.FLAGS_SHIFT & slow) == 0 && exchange.nowMillis() < RecordImage.plainUntil(image, offset)) {
            long places = offset + RecordImage.HEADER_BYTES + (head & 0xffff);
            int length = plain(exchange, question, image, RecordImage.sizes(image, offset), places);
            if (length > 0) {
                outcome = GnrsCount.LOOKUPS_FOUND;
                return length;
            }
        }
        return UNKNOWN;
    }

    /** Writes the stored form as it is and returns the length; 0 if it does not fit, or its times cannot be sent so. */
    private int plain(Exchange exchange, GnrsMessageFlyweight question, MemorySegment image, long sizes, long stored) {
        int bindings = (int) (sizes >>> 32);
        if (bindings < 1 || bindings > RecordImage.TIMED_BINDINGS_MAX) {
            return 0;
        }
        int bytesMax = bytesMax(exchange, question);
        int payload = reply.begin(exchange, GnrsWire.CODE_BYTES + 4, bytesMax);
        int options = payload + GnrsWire.CODE_BYTES + 4 + (int) sizes;
        int length = options + 2 * (GnrsWire.OPTION_HEADER_BYTES + 8 * bindings);
        if (length > bytesMax
                || length > amplificationMax * question.length()
                        && !settings.trusts(exchange.peerHigh(), exchange.peerLow())) {
            return 0;
        }
        MemorySegment room = exchange.room();
        long at = exchange.roomOffset();
        reply.write(room, at, GnrsWire.LOOKUP_RESPONSE, question.id(), GnrsWire.SUCCESS, length, options);
        int places = payload + GnrsWire.CODE_BYTES;
        copy(image, stored, room, at + places, length - places);
        return length;
    }

    /**
     * Copies at least eight bytes. Store and buffer are mostly parts of one segment, all of memory, so the JDK's copy
     * takes them for overlapping and calls a stub made for many bytes; these are few.
     */
    private static void copy(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, int bytes) {
        MemorySegment from = Memory.known(source);
        MemorySegment to = Memory.known(target);
        int last = bytes - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            long word = from.get(WORD, sourceOffset + i & Memory.MASK);
            to.set(WORD, targetOffset + i & Memory.MASK, word);
        }
        // The last word begins inside the one before it, if the bytes are no whole words.
        long word = from.get(WORD, sourceOffset + last & Memory.MASK);
        to.set(WORD, targetOffset + last & Memory.MASK, word);
    }

    private int notFound(Exchange exchange, GnrsMessageFlyweight question) {
        boolean here = placer.isHere(question.segment(), question.guid());
        outcome = here ? GnrsCount.LOOKUPS_EMPTY : GnrsCount.LOOKUPS_ELSEWHERE;
        return reply.empty(exchange, question.id(), here ? GnrsWire.SUCCESS : GnrsWire.FAILED, question.length());
    }

    int failed(Exchange exchange, GnrsMessageFlyweight question) {
        return reply.empty(exchange, question.id(), GnrsWire.FAILED, question.length());
    }

    private int gathered(Exchange exchange, GnrsMessageFlyweight question, RecordReader reader) {
        gathering.begin(exchange.nowMillis(), question.accepts());
        boolean follow =
                question.recursive() && (RecordImage.flags(reader.segment(), reader.offset()) & RecordImage.CHAINED) != 0;
        if (follow) {
            if (!chain.follow(question.segment(), question.guid(), reader)) {
                return UNKNOWN;
            }
            gathering.event(GnrsCount.ALIAS_CHAINS);
        } else {
            gathering.age(reader);
            gathering.take(reader.segment(), reader.offset());
        }
        if (gathering.total() == 0) {
            return notFound(exchange, question);
        }
        outcome = GnrsCount.LOOKUPS_FOUND;
        int length = fitted(exchange, question);
        events = gathering.events();
        return length;
    }

    /**
     * Writes the gathered bindings: all of them; if that is too long, without times; if that is too long, the places
     * that fit, nearest first where an order is known. Whenever something is omitted, PARTIAL gives the total.
     */
    private int fitted(Exchange exchange, GnrsMessageFlyweight question) {
        BindingList places = gathering.places();
        int bytesMax = boundedBytesMax(exchange, question);
        int payload = reply.begin(exchange, GnrsWire.CODE_BYTES + 4 + GnrsWire.PARTIAL_BYTES, bytesMax);
        int bare = payload + GnrsWire.CODE_BYTES + 4;
        int count = places.count();
        int hidden = gathering.total() > count ? GnrsWire.PARTIAL_BYTES : 0;
        int times = 2 * (GnrsWire.OPTION_HEADER_BYTES + 8 * count);
        boolean told = !relayed || places.timed();
        boolean timesFit =
                told && count >= 1 && count <= RecordImage.TIMED_BINDINGS_MAX && bare + places.bytes() + times + hidden <= bytesMax;
        boolean timesLost = !timesFit && places.timed();
        boolean cut = timesLost || bare + places.bytes() > bytesMax;
        boolean partial = cut || hidden > 0;
        if (cut && bytesMax < bytesMax(exchange, question)) {
            gathering.event(GnrsCount.TRUNCATED_RESPONSES);
        }
        MemorySegment room = exchange.room();
        long start = exchange.roomOffset();
        long end = partial ? start + bytesMax - GnrsWire.PARTIAL_BYTES : start + bytesMax;
        NearestFirstOrder order = nearest;
        boolean ordered = order != null && bare + places.bytes() > end - start && order.sequence(exchange, places);
        if (ordered) {
            gathering.event(GnrsCount.ORDERED_RESPONSES);
        }
        long at = addresses(places, ordered ? order : null, room, start + bare, end);
        int options = (int) (at - start);
        if (timesFit) {
            at = times(places, room, at, partial);
        }
        if (partial) {
            at = partial(room, at);
        }
        int length = (int) (at - start);
        reply.write(
                room,
                start,
                GnrsWire.LOOKUP_RESPONSE,
                question.id(),
                GnrsWire.SUCCESS,
                length,
                length == options ? 0 : options);
        return length;
    }

    /** Writes the count and the places that end before a bound; returns the position behind them. */
    private static long addresses(
            BindingList places, @Nullable NearestFirstOrder order, MemorySegment room, long from, long end) {
        long at = from;
        int written = 0;
        for (int i = 0; i < places.count(); i++) {
            int place = order == null ? i : order.place(i);
            if (at + places.length(place) <= end) {
                places.copy(place, room, at);
                at += places.length(place);
                written++;
            }
        }
        room.set(GnrsWire.INT, from - 4, written);
        return at;
    }

    private static long times(BindingList places, MemorySegment room, long from, boolean followed) {
        int length = 8 * places.count();
        int last = followed ? 0 : GnrsWire.OPTION_LAST;
        room.set(GnrsWire.SHORT, from, (short) (GnrsOptionType.TTL.code() << 8 | length));
        long at = places.copyTtls(room, from + GnrsWire.OPTION_HEADER_BYTES);
        room.set(GnrsWire.SHORT, at, (short) ((last | GnrsOptionType.EXPIRATION.code()) << 8 | length));
        return places.copyExpiries(room, at + GnrsWire.OPTION_HEADER_BYTES);
    }

    private long partial(MemorySegment room, long at) {
        gathering.event(GnrsCount.PARTIAL_RESPONSES);
        room.set(GnrsWire.SHORT, at, (short) ((GnrsWire.OPTION_LAST | GnrsOptionType.PARTIAL.code()) << 8 | 4));
        room.set(GnrsWire.INT, at + GnrsWire.OPTION_HEADER_BYTES, gathering.total());
        return at + GnrsWire.PARTIAL_BYTES;
    }

    /** Returns the bytes that an answer may have by the operator's and the client's bounds. */
    int answerBytesMax(GnrsMessageFlyweight question) {
        int said = question.acceptBytes();
        int taken = said == 0 ? GnrsLimits.ANSWER_BYTES_PLAIN : Math.max(said, GnrsLimits.ANSWER_BYTES_MIN);
        return Math.min(taken, answerBytesMax);
    }

    /** Returns the same, bounded by the buffer too. */
    private int bytesMax(Exchange exchange, GnrsMessageFlyweight question) {
        return Math.min(answerBytesMax(question), exchange.roomLength());
    }

    /** Returns the same, bounded by the length of the request too where the client is not trusted. */
    private int boundedBytesMax(Exchange exchange, GnrsMessageFlyweight question) {
        int bytesMax = bytesMax(exchange, question);
        int amplified = amplificationMax * question.length();
        if (bytesMax <= amplified || settings.trusts(exchange.peerHigh(), exchange.peerLow())) {
            return bytesMax;
        }
        return amplified;
    }
}
