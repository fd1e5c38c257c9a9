package io.guidepost.handle.template;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.ValueType;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Records;
import io.guidepost.handle.service.Outcome;
import io.guidepost.handle.service.Question;
import io.guidepost.handle.service.RemoteHandles;
import io.guidepost.handle.service.Templates;
import io.guidepost.handle.xml.Element;
import io.guidepost.names.Malformed;
import io.guidepost.names.SharedCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes records by the templates in HS_NAMESPACE: {@code 10.5/book@page3} has none of its own, so its name is split at the
 * delimiter {@code @} of prefix 10.5, and a template makes its values of those of {@code 10.5/book} and of
 * {@code page3}. The namespace of the base comes before that of the prefix, and that before those of the prefixes that it
 * is derived from. Thread-safe.
 */
public final class NamespaceTemplates implements Templates {
    private static final System.Logger LOG = System.getLogger(NamespaceTemplates.class.getName());

    private final Records records;
    private final RemoteHandles remote;
    private final TemplateSettings settings;
    private final NamespaceWatch watch;
    private final Map<ByteBuffer, Namespace> read = new ConcurrentHashMap<>();
    private final SharedCounters<TemplateCount> counts = new SharedCounters<>(TemplateCount.class);

    /**
     * Over records.
     *
     * @param remote asked for templates that {@code ref} points to and that are elsewhere
     * @param watch that hears of each change of the records
     * @throws IOException if the prefixes cannot be read
     */
    public NamespaceTemplates(
            Records records, RemoteHandles remote, TemplateSettings settings, NamespaceWatch watch) throws IOException {
        watch.look(records);
        this.watch = watch;
        this.records = records;
        this.remote = remote;
        this.settings = settings;
    }

    /** How often something happened. */
    public long count(TemplateCount of) {
        return counts.get(of);
    }

    private void counted(TemplateCount of) {
        counts.add(of);
    }

    @Override
    public boolean isEmpty() {
        return settings.isEmpty() && !watch.seen();
    }

    @Override
    public Optional<HandleRecord> expand(Handle handle) throws IOException {
        if (isEmpty() || handle.isPrefixHandle() || !handle.isUtf8()) {
            return Optional.empty();
        }
        try {
            return expand(handle, ofPrefix(handle));
        } catch (TemplateFailure e) {
            counted(TemplateCount.FAILED);
            LOG.log(System.Logger.Level.DEBUG, "no template for {0}: {1}", handle, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<HandleRecord> expand(Handle handle, Namespace ofPrefix) throws IOException, TemplateFailure {
        Optional<String> delimiter = settings.override()
                ? settings.delimiter().or(ofPrefix::delimiter)
                : ofPrefix.delimiter().or(settings::delimiter);
        Optional<Expansion.Names> names = delimiter.flatMap(each -> Expansion.Names.split(handle, each));
        if (names.isEmpty()) {
            return Optional.empty();
        }
        String baseName = names.get().base();
        Optional<HandleRecord> base = baseName.isEmpty() ? Optional.empty() : records.find(Handle.of(baseName));
        Namespace ofBase = base.isPresent() ? namespace(base.get()) : Namespace.NONE;
        List<Element> templates = ofBase.templates().isEmpty() ? ofPrefix.templates() : ofBase.templates();
        if (templates.isEmpty()) {
            return Optional.empty();
        }
        Optional<List<HandleValue>> values = Expansion.of(
                templates,
                names.get(),
                base.map(HandleRecord::values).orElse(List.of()),
                records.caseSensitive(),
                this::templates);
        counted(values.isPresent() ? TemplateCount.MADE : TemplateCount.NOT_FOUND);
        return values.map(each -> new HandleRecord(handle, each));
    }

    private Namespace ofPrefix(Handle handle) throws IOException, TemplateFailure {
        if (settings.override()) {
            return settings.namespace();
        }
        Optional<Handle> prefix = Optional.of(handle.prefixHandle());
        for (int i = 0; i < Limits.PARENTS_MAX && prefix.isPresent(); i++) {
            Optional<HandleRecord> record = records.find(prefix.get());
            Namespace found = record.isPresent() ? namespace(record.get()) : Namespace.NONE;
            if (!found.templates().isEmpty()) {
                return found;
            }
            prefix = prefix.get().parentPrefixHandle();
        }
        return settings.namespace();
    }

    private Namespace namespace(HandleRecord record) throws TemplateFailure {
        Optional<HandleValue> value = record.values().stream()
                .filter(each -> each.is(ValueType.HS_NAMESPACE) && each.permissions().publicRead())
                .findFirst();
        return value.isPresent() ? namespace(value.get().data()) : Namespace.NONE;
    }

    /** Reading XML takes longer than all the rest, and names that do not exist are asked for in great numbers. */
    private Namespace namespace(byte[] data) throws TemplateFailure {
        ByteBuffer key = ByteBuffer.wrap(data);
        Namespace known = read.get(key);
        if (known != null) {
            return known;
        }
        try {
            Namespace fresh = Namespace.read(data);
            if (read.size() >= Limits.NAMESPACES_KEPT_MAX) {
                read.clear();
            }
            read.put(key, fresh);
            return fresh;
        } catch (Malformed e) {
            throw new TemplateFailure("HS_NAMESPACE is malformed: " + e.getMessage());
        }
    }

    private List<Element> templates(String text) throws IOException, TemplateFailure {
        ValueReference reference;
        try {
            reference = ValueReference.parse(text);
        } catch (Malformed e) {
            throw new TemplateFailure("ref is not index:handle");
        }
        Optional<HandleRecord> here = records.find(reference.handle());
        List<HandleValue> values = here.isPresent() ? here.get().values() : elsewhere(reference);
        HandleValue value = values.stream()
                .filter(each -> each.index() == reference.index() && each.permissions().publicRead())
                .findFirst()
                .orElseThrow(() -> new TemplateFailure("ref points to nothing"));
        return namespace(value.data()).templates();
    }

    private List<HandleValue> elsewhere(ValueReference reference) throws TemplateFailure {
        Question question = new Question(
                reference.handle(), List.of(reference.index()), List.of(), true, false, true, 0);
        try {
            return remote.resolve(question).map(Outcome::values).orElse(List.of());
        } catch (IOException e) {
            throw new TemplateFailure("the server of a template does not answer");
        }
    }
}
