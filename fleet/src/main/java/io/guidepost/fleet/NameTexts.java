package io.guidepost.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The texts of names, in the order of their bytes, as the index of a store in files has them: keys of a namespace byte and the text.
 *
 * <p>They come from two lists of keys, which are merged. A GUID that is made of a word lists it: those stand in the order of their
 * words. A text that is hashed has a key of its own in the list of texts, written before the places of its name and taken away with
 * them, with their stamps and lives, as that of the GUID is. It has no record: whether a name still has places its GUID's record says.
 */
final class NameTexts {
    private static final byte GUIDS = Name.Namespace.GUID.code();

    /** Keys that are taken of each list at a time. */
    private static final int PAGE = FleetLimits.PAGE_MAX;

    private final KeyLists lists;

    /** Takes names in the order of their texts, some at a time. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes some; false ends the visit.
         *
         * @param named keys of GUIDs by keys of texts
         */
        boolean take(Map<byte[], byte[]> named) throws ClusterException;
    }

    NameTexts(KeyLists lists) {
        this.lists = lists;
    }

    /** Returns the key that a name is listed by beside that of its GUID; empty if the GUID is made of the text, or it is not that of it. */
    static Optional<byte[]> listedKey(byte[] guidKey, Optional<String> text) {
        Guid guid = guid(guidKey);
        return text.filter(each -> NameForm.word(guid).isEmpty() && NameForm.matches(each, guid)).map(Name::textKey);
    }

    private static Guid guid(byte[] key) {
        return Guid.of(Arrays.copyOfRange(key, 1, key.length));
    }

    /**
     * Visits listed names; of one that is listed there may be no places.
     *
     * @param prefix what keys of texts begin with, at least their namespace
     * @param after the key to begin behind, or null to begin at the first
     */
    void visit(byte[] prefix, byte @Nullable [] after, Visitor visitor) throws ClusterException {
        byte[] behind = after;
        while (true) {
            List<byte[]> words = words(prefix, behind);
            List<byte[]> texts = texts(prefix, behind);
            TreeMap<byte[], byte[]> named = new TreeMap<>(Arrays::compareUnsigned);
            words.forEach(each -> named.put(Name.textKey(word(each).orElseThrow()), each));
            texts.forEach(each -> guidKey(each).ifPresent(guid -> named.put(each, guid)));
            // What stands behind the last of a list that goes on is not known yet.
            byte[] end = null;
            if (words.size() == PAGE) {
                end = Name.textKey(word(words.getLast()).orElseThrow());
            }
            if (texts.size() == PAGE && (end == null || Arrays.compareUnsigned(texts.getLast(), end) < 0)) {
                end = texts.getLast();
            }
            if (!visitor.take(end == null ? named : named.headMap(end, true)) || end == null) {
                return;
            }
            behind = end;
        }
    }

    private static Optional<String> word(byte[] guidKey) {
        return guidKey[1] > ' ' ? NameForm.word(guid(guidKey)) : Optional.empty();
    }

    private static Optional<byte[]> guidKey(byte[] textKey) {
        try {
            return Optional.of(Name.of(NameForm.parse(Name.text(textKey)).guid()).key());
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Returns keys of GUIDs that are made of words, behind a text. */
    private List<byte[]> words(byte[] prefix, byte @Nullable [] behind) throws ClusterException {
        List<byte[]> found = new ArrayList<>();
        if (prefix.length > 1 + Guid.BYTES) {
            return found;
        }
        lists.visit(inGuids(prefix), behind == null ? null : inGuids(behind), keys -> {
            for (byte[] each : keys) {
                Optional<String> word = word(each);
                if (word.isPresent() && (behind == null || Arrays.compareUnsigned(Name.textKey(word.get()), behind) > 0)) {
                    found.add(each);
                }
            }
            return found.size() < PAGE;
        });
        return first(found);
    }

    private List<byte[]> texts(byte[] prefix, byte @Nullable [] behind) throws ClusterException {
        List<byte[]> found = new ArrayList<>();
        lists.visit(prefix, behind, keys -> found.addAll(keys) && found.size() < PAGE);
        return first(found);
    }

    private static List<byte[]> first(List<byte[]> found) {
        return found.size() > PAGE ? found.subList(0, PAGE) : found;
    }

    /** Returns where a text would stand among keys of GUIDs. */
    private static byte[] inGuids(byte[] textKey) {
        byte[] key = Arrays.copyOf(textKey, Math.min(textKey.length, 1 + Guid.BYTES));
        key[0] = GUIDS;
        return key;
    }
}
