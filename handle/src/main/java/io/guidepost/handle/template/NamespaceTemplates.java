package io.guidepost.handle.template;

import io.guidepost.base.Malformed;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import io.guidepost.handle.xml.XmlElement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Computes records by the templates in HS_NAMESPACE: {@code 10.5/book@page3} has no record of its own, so its name is
 * split at the delimiter {@code @} of prefix 10.5, and a template computes its values from those of {@code 10.5/book}
 * and from {@code page3}. The namespace of the base takes precedence over that of the prefix, and that over those of
 * the prefix's ancestors. Thread-safe.
 */
public final class NamespaceTemplates implements RecordTemplates {
    private static final System.Logger LOG = System.getLogger(NamespaceTemplates.class.getName());

    private final HandleRecords records;
    private final RemoteResolver remote;
    private final NamespaceDetector watch;
    private final Map<ByteBuffer, HandleNamespace> read = new ConcurrentHashMap<>();
    private volatile TemplateSettings settings;
    private final SharedCounters<TemplateCount> counts = new SharedCounters<>(TemplateCount.class);

    /**
     * Creates it over records.
     *
     * @param remote resolves templates on other servers that {@code ref} refers to
     * @param watch listens to the changes of the records
     * @throws IOException if the prefixes cannot be read
     */
    public NamespaceTemplates(
            HandleRecords records, RemoteResolver remote, TemplateSettings settings, NamespaceDetector watch) throws IOException {
        watch.look(records);
        this.watch = watch;
        this.records = records;
        this.remote = remote;
        this.settings = settings;
    }

    /** Applies other settings from the next expansion on. */
    public void follow(TemplateSettings next) {
        settings = next;
    }

    /** Returns a counter. */
    public long count(TemplateCount of) {
        return counts.get(of);
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
        } catch (TemplateException e) {
            counts.add(TemplateCount.TEMPLATES_FAILED);
            LOG.log(System.Logger.Level.DEBUG, "no template for {0}: {1}", handle, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<HandleRecord> expand(Handle handle, HandleNamespace ofPrefix) throws IOException, TemplateException {
        Optional<String> delimiter = settings.override()
                ? settings.delimiter().or(ofPrefix::delimiter)
                : ofPrefix.delimiter().or(settings::delimiter);
        Optional<TemplateExpansion.Names> names = delimiter.flatMap(each -> TemplateExpansion.Names.split(handle, each));
        if (names.isEmpty()) {
            return Optional.empty();
        }
        String baseName = names.get().base();
        Optional<HandleRecord> base = baseName.isEmpty() ? Optional.empty() : records.find(Handle.of(baseName));
        HandleNamespace ofBase = base.isPresent() ? namespace(base.get()) : HandleNamespace.NONE;
        List<XmlElement> templates = ofBase.templates().isEmpty() ? ofPrefix.templates() : ofBase.templates();
        if (templates.isEmpty()) {
            return Optional.empty();
        }
        Optional<List<HandleValue>> values = TemplateExpansion.of(
                templates,
                names.get(),
                base.map(HandleRecord::values).orElse(List.of()),
                records.caseSensitive(),
                this::templates);
        counts.add(values.isPresent() ? TemplateCount.TEMPLATES_MADE : TemplateCount.TEMPLATES_NOT_FOUND);
        return values.map(each -> new HandleRecord(handle, each));
    }

    private HandleNamespace ofPrefix(Handle handle) throws IOException, TemplateException {
        if (settings.override()) {
            return settings.namespace();
        }
        Optional<Handle> prefix = Optional.of(handle.prefixHandle());
        for (int i = 0; i < TemplateLimits.PARENTS_MAX && prefix.isPresent(); i++) {
            Optional<HandleRecord> record = records.find(prefix.get());
            HandleNamespace found = record.isPresent() ? namespace(record.get()) : HandleNamespace.NONE;
            if (!found.templates().isEmpty()) {
                return found;
            }
            prefix = prefix.get().parentPrefixHandle();
        }
        return settings.namespace();
    }

    private HandleNamespace namespace(HandleRecord record) throws TemplateException {
        Optional<HandleValue> value = record.values().stream()
                .filter(each -> each.is(ValueType.HS_NAMESPACE) && each.permissions().publicRead())
                .findFirst();
        return value.isPresent() ? namespace(value.get().data()) : HandleNamespace.NONE;
    }

    /**
     * Caches parsed namespaces: parsing XML takes longer than all the rest, and handles that do not exist are requested
     * in great numbers.
     */
    private HandleNamespace namespace(byte[] data) throws TemplateException {
        ByteBuffer key = ByteBuffer.wrap(data);
        HandleNamespace known = read.get(key);
        if (known != null) {
            return known;
        }
        try {
            HandleNamespace fresh = HandleNamespace.read(data);
            if (read.size() >= TemplateLimits.NAMESPACES_KEPT_MAX) {
                read.clear();
            }
            read.put(key, fresh);
            return fresh;
        } catch (Malformed e) {
            throw new TemplateException("HS_NAMESPACE is malformed: " + e.getMessage());
        }
    }

    private List<XmlElement> templates(String text) throws IOException, TemplateException {
        ValueReference reference;
        try {
            reference = ValueReference.parse(text);
        } catch (Malformed e) {
            throw new TemplateException("ref is not index:handle");
        }
        Optional<HandleRecord> here = records.find(reference.handle());
        List<HandleValue> values = here.isPresent() ? here.get().values() : elsewhere(reference);
        HandleValue value = values.stream()
                .filter(each -> each.index() == reference.index() && each.permissions().publicRead())
                .findFirst()
                .orElseThrow(() -> new TemplateException("ref refers to nothing"));
        return namespace(value.data()).templates();
    }

    private List<HandleValue> elsewhere(ValueReference reference) throws TemplateException {
        ResolveRequest question = new ResolveRequest(
                reference.handle(), List.of(reference.index()), List.of(), true, false, true, 0);
        try {
            return remote.resolve(question).map(HandleResult::values).orElse(List.of());
        } catch (IOException e) {
            throw new TemplateException("the server of a template does not answer");
        }
    }
}
