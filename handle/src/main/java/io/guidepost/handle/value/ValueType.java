package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.key.PublicKeyRecord;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The known types of values, one row each: name, form of the data, purpose. Every other name is a type too, with data
 * of any form.
 */
public enum ValueType {
    /** A URL of the object. */
    URL("URL", Form.TEXT),
    /** An e-mail address. */
    EMAIL("EMAIL", Form.TEXT),
    /** A description of the object. */
    DESC("DESC", Form.TEXT),
    /** A uniform resource name. */
    URN("URN", Form.TEXT),
    /** A host name or address. */
    INET_HOST("INET_HOST", Form.TEXT),
    /** Several locations of the object and how to select one. */
    LOCATIONS("10320/loc", Form.XML),
    /** An administrator of the record and its rights. */
    HS_ADMIN("HS_ADMIN", Form.ADMIN),
    /** A group of identities. */
    HS_VLIST("HS_VLIST", Form.IDENTITIES),
    /** A secret key: its bytes. */
    HS_SECKEY("HS_SECKEY", Form.BYTES),
    /** A public key. */
    HS_PUBKEY("HS_PUBKEY", Form.PUBLIC_KEY),
    /** A site that serves the prefix. */
    HS_SITE("HS_SITE", Form.SITE),
    /** A site that serves the handles of derived prefixes too. */
    HS_SITE_PREFIX("HS_SITE.PREFIX", Form.SITE),
    /** A site to which derived prefixes are delegated. */
    HS_NA_DELEGATE("HS_NA_DELEGATE", Form.SITE),
    /** The handle of a record that has sites. */
    HS_SERV("HS_SERV", Form.HANDLE),
    /** The handle of a record that has sites, for derived prefixes too. */
    HS_SERV_PREFIX("HS_SERV.PREFIX", Form.HANDLE),
    /** The handle that this one is an alias of. */
    HS_ALIAS("HS_ALIAS", Form.HANDLE),
    /** Templates and texts of a prefix. */
    HS_NAMESPACE("HS_NAMESPACE", Form.XML),
    /** A certificate of identities: a JSON web signature. */
    HS_CERT("HS_CERT", Form.SIGNED),
    /** A signature over values: a JSON web signature. */
    HS_SIGNATURE("HS_SIGNATURE", Form.SIGNED);

    /** What the data of a type is. */
    public enum Form {
        /** Text in UTF-8. */
        TEXT,
        /** Opaque bytes. */
        BYTES,
        /** XML in UTF-8. */
        XML,
        /** A JSON web signature, compact or in JSON. */
        SIGNED,
        /** A handle: text without a length before it. */
        HANDLE,
        /** An {@link AdminRecord}. */
        ADMIN,
        /** An {@link IdentityList}. */
        IDENTITIES,
        /** A {@link SiteRecord}. */
        SITE,
        /** A public key record, see {@link PublicKeyRecord}. */
        PUBLIC_KEY
    }

    private static final Map<String, ValueType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(each -> Handle.fold(each.typeName), each -> each));

    private final String typeName;
    private final Form form;

    ValueType(String typeName, Form form) {
        this.typeName = typeName;
        this.form = form;
    }

    /** Returns the name on the wire. */
    public String typeName() {
        return typeName;
    }

    /** Returns the form of its data. */
    public Form form() {
        return form;
    }

    /**
     * Returns the type with a name, ignoring case, or else the one that it is a subtype of: {@code HS_SITE.6} is of HS_SITE. Empty
     * if neither is known.
     */
    public static Optional<ValueType> of(String name) {
        ValueType known = BY_NAME.get(Handle.fold(name));
        int dot = name.indexOf('.');
        return Optional.ofNullable(known != null || dot < 0 ? known : BY_NAME.get(Handle.fold(name.substring(0, dot))));
    }

    /**
     * Returns whether a value with a name is of this type. Subtypes such as {@code HS_ADMIN.x} of the types that decide on rights
     * are: genuine servers take them for administrators, groups and keys, and so must each that holds or copies their records.
     */
    public boolean isOf(String name) {
        return same(typeName, name) || decidesOnRights() && matches(typeName + ".", name);
    }

    private boolean decidesOnRights() {
        return switch (this) {
            case HS_ADMIN, HS_VLIST, HS_SECKEY, HS_PUBKEY -> true;
            default -> false;
        };
    }

    /** Returns whether two names are of one type: they differ in ASCII case at most. */
    public static boolean same(String one, String other) {
        return one.equals(other) || Handle.fold(one).equals(Handle.fold(other));
    }

    /**
     * Returns whether a requested type matches the type of a value: the names are the same, or the requested one ends
     * in a dot and the other is the name before the dot or one of its subtypes: {@code HS_SITE.} matches
     * {@code HS_SITE} and {@code HS_SITE.PREFIX}.
     */
    public static boolean matches(String wanted, String type) {
        if (!wanted.endsWith(".")) {
            return same(wanted, type);
        }
        String family = Handle.fold(wanted);
        return Handle.fold(type + ".").startsWith(family);
    }

    /**
     * Checks that data has the form of its type, as far as that is possible without a key or an XML parser.
     *
     * @throws Malformed with the first reason and its offset in the data
     */
    public void check(byte[] data) throws Malformed {
        switch (form) {
            case TEXT, XML, SIGNED -> WireReader.utf8(data, 0);
            case HANDLE -> {
                if (data.length == 0 || data.length > HandleLimits.HANDLE_BYTES_MAX || !Handle.of(data).isUtf8()) {
                    throw new Malformed(
                            "a handle is UTF-8 of 1 to " + HandleLimits.HANDLE_BYTES_MAX + " bytes, not of " + data.length, 0);
                }
            }
            case ADMIN -> AdminRecord.read(data);
            case IDENTITIES -> IdentityList.read(data);
            case SITE -> SiteRecord.read(data);
            case PUBLIC_KEY -> PublicKeyRecord.read(data);
            case BYTES -> {}
        }
    }
}
