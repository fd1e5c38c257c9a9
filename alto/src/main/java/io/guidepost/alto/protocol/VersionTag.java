package io.guidepost.alto.protocol;

/**
 * The version of a resource (RFC 7285 section 10.3).
 *
 * @param resource id of the resource
 * @param tag 1 to 64 printable characters
 */
public record VersionTag(String resource, String tag) {
    /** Checks both. */
    public VersionTag {
        if (!AltoIdentifiers.isName(resource) || !AltoIdentifiers.isTag(tag)) {
            throw new IllegalArgumentException("no version tag: '" + resource + "' '" + tag + "'");
        }
    }
}
