package io.guidepost.gnrs.wire;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message of GNRS in object form, for clients, tools and tests; the door reads and writes in place. Reading and
 * writing gives the same bytes, except that offsets which may be 0 are written out and the last option is marked. The
 * layout stands at {@link GnrsWire}. Immutable.
 */
public sealed interface GnrsMessage {
    /** The code of a response: success or failure. */
    enum Code {
        /** The request succeeded. A name without bindings is a success with no bindings. */
        SUCCESS,
        /** The request failed: refused, overloaded, or the name is kept elsewhere. */
        FAILED
    }

    /** A request: it names a GUID. */
    sealed interface Request extends GnrsMessage {
        /** Returns the name. */
        Guid guid();

        /** Returns whether the server may follow links and query other servers. */
        default boolean recursive() {
            return option(GnrsOptionType.RECURSION).map(GnrsOption::number16).orElse(0) != 0;
        }
    }

    /** A response. */
    sealed interface Response extends GnrsMessage {
        /** Returns the code. */
        Code code();
    }

    /** A message that carries bindings. */
    sealed interface Bound extends GnrsMessage {
        /** Returns the places, in order; their times are in the options. */
        List<Locator> locators();

        /** Returns the places with their times. */
        default List<Binding> bindings() {
            Optional<GnrsOption> ttls = option(GnrsOptionType.TTL);
            Optional<GnrsOption> expiries = option(GnrsOptionType.EXPIRATION);
            List<Binding> bindings = new ArrayList<>();
            for (int i = 0; i < locators().size(); i++) {
                int binding = i;
                bindings.add(new Binding(
                        locators().get(i),
                        ttls.map(option -> option.time(binding)).orElse(0L),
                        expiries.map(option -> option.time(binding)).orElse(0L)));
            }
            return bindings;
        }
    }

    /** Requests the places of a name. */
    record Lookup(int id, Locator origin, Guid guid, List<GnrsOption> options) implements Request {
        /** Copies the list. */
        public Lookup {
            options = List.copyOf(options);
        }
    }

    /** Adds bindings to a name; an address that is present takes the new times. */
    record Insert(int id, Locator origin, Guid guid, List<Locator> locators, List<GnrsOption> options)
            implements Request, Bound {
        /** Copies the lists. */
        public Insert {
            locators = List.copyOf(locators);
            options = checked(locators, options);
        }

        /** Creates an insert of bindings with their times, where they have any. */
        public static Insert of(int id, Locator origin, Guid guid, List<Binding> bindings, GnrsOption... options) {
            return new Insert(id, origin, guid, places(bindings), withTimes(bindings, options));
        }
    }

    /** Replaces all bindings of a name; none = deletes the name. */
    record Update(int id, Locator origin, Guid guid, List<Locator> locators, List<GnrsOption> options)
            implements Request, Bound {
        /** Copies the lists. */
        public Update {
            locators = List.copyOf(locators);
            options = checked(locators, options);
        }

        /** Creates an update to bindings with their times, where they have any. */
        public static Update of(int id, Locator origin, Guid guid, List<Binding> bindings, GnrsOption... options) {
            return new Update(id, origin, guid, places(bindings), withTimes(bindings, options));
        }
    }

    /** Answers INSERT; old servers answer UPDATE with it too. */
    record InsertResponse(int id, Locator origin, Code code, List<GnrsOption> options) implements Response {
        /** Copies the list. */
        public InsertResponse {
            options = List.copyOf(options);
        }
    }

    /** Answers UPDATE. */
    record UpdateResponse(int id, Locator origin, Code code, List<GnrsOption> options) implements Response {
        /** Copies the list. */
        public UpdateResponse {
            options = List.copyOf(options);
        }
    }

    /** Answers LOOKUP. */
    record LookupResponse(int id, Locator origin, Code code, List<Locator> locators, List<GnrsOption> options)
            implements Response, Bound {
        /** Copies the lists. */
        public LookupResponse {
            locators = List.copyOf(locators);
            options = checked(locators, options);
        }

        /** Returns the number of bindings of the name, if some of them or their times were omitted. */
        public OptionalInt total() {
            return option(GnrsOptionType.PARTIAL)
                    .map(option -> OptionalInt.of(option.number32()))
                    .orElse(OptionalInt.empty());
        }
    }

    /** Returns the request id, 32 bits; a response carries that of its request. */
    int id();

    /** Returns the address of the sender as it states it; with no bytes it stands for the source of the datagram. */
    Locator origin();

    /** Returns the options, in order. */
    List<GnrsOption> options();

    /** Returns the first option of a type. */
    default Optional<GnrsOption> option(GnrsOptionType type) {
        return options().stream().filter(option -> option.is(type)).findFirst();
    }

    /** Returns the empty origin, which stands for the source of the datagram. */
    static Locator noOrigin() {
        return new Locator(Locator.Type.IPV4_UDP.code(), new byte[0]);
    }

    /**
     * Reads a datagram that is one message.
     *
     * @throws Malformed with the first reason and its offset, if it is not
     */
    static GnrsMessage read(byte[] datagram) throws Malformed {
        GnrsMessage message = readPrefix(MemorySegment.ofArray(datagram), 0, datagram.length);
        int length = Short.toUnsignedInt(MemorySegment.ofArray(datagram).get(GnrsWire.SHORT, GnrsWire.LENGTH));
        if (length != datagram.length) {
            throw new Malformed(GnrsParseResult.LENGTH_TRAILING.text(), length);
        }
        return message;
    }

    /**
     * Reads the first message in a buffer; its length field gives the position of the next.
     *
     * @throws Malformed with the first reason and its offset, if there is none
     */
    static GnrsMessage readPrefix(MemorySegment segment, long offset, int available) throws Malformed {
        GnrsMessageFlyweight in = new GnrsMessageFlyweight();
        GnrsParseResult reason = in.parse(segment, offset, available);
        if (reason != GnrsParseResult.OK) {
            throw new Malformed(reason.text(), in.fault());
        }
        return GnrsMessageReader.read(in);
    }

    /** Returns the bytes of the message. */
    default byte[] write() {
        byte[] bytes = new byte[GnrsMessageWriter.length(this)];
        write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    /**
     * Writes the message and returns its length.
     *
     * @throws IndexOutOfBoundsException if there is no room for it
     */
    default int write(MemorySegment segment, long offset) {
        return GnrsMessageWriter.write(this, segment, offset);
    }

    private static List<Locator> places(List<Binding> bindings) {
        return bindings.stream().map(Binding::locator).toList();
    }

    /** Puts the times first, as the old clients do. */
    private static List<GnrsOption> withTimes(List<Binding> bindings, GnrsOption... others) {
        List<GnrsOption> options = new ArrayList<>();
        if (bindings.stream().anyMatch(binding -> binding.ttlMillis() != 0)) {
            options.add(GnrsOption.ttls(bindings.stream().mapToLong(Binding::ttlMillis).toArray()));
        }
        if (bindings.stream().anyMatch(binding -> binding.expiryMillis() != 0)) {
            options.add(GnrsOption.expiries(bindings.stream().mapToLong(Binding::expiryMillis).toArray()));
        }
        options.addAll(Arrays.asList(others));
        return options;
    }

    private static List<GnrsOption> checked(List<Locator> locators, List<GnrsOption> options) {
        for (GnrsOption option : options) {
            boolean times = option.is(GnrsOptionType.TTL) || option.is(GnrsOptionType.EXPIRATION);
            if (times && option.value().length != 8 * locators.size()) {
                throw new IllegalArgumentException("times are given for each of the " + locators.size()
                        + " bindings or for none, not in " + option.value().length + " bytes");
            }
        }
        return List.copyOf(options);
    }
}
