package io.guidepost.alto;

/**
 * Which version of which resource (RFC 7285 section 10.3).
 *
 * @param resource id of the resource
 * @param tag 1 to 64 printable characters
 */
public record VersionTag(String resource, String tag) {
    /** Checks both. */
    public VersionTag {
        if (!Names.isName(resource) || !Names.isTag(tag)) {
            throw new IllegalArgumentException("no version tag: '" + resource + "' '" + tag + "'");
        }
    }
}
