package io.guidepost.names;

/**
 * One place that a name is bound to, and for how long.
 *
 * @param locator the place
 * @param ttlMillis how long a cache may keep it, in milliseconds; 0 = not said
 * @param expiryMillis when it ends, in milliseconds since 1970; 0 = never
 */
public record Binding(Locator locator, long ttlMillis, long expiryMillis) {
    /** A binding that says nothing of caches and does not end. */
    public static Binding of(Locator locator) {
        return new Binding(locator, 0, 0);
    }

    /** Whether the binding has ended at a time in milliseconds since 1970. */
    public boolean expired(long nowMillis) {
        return expiryMillis != 0 && expiryMillis <= nowMillis;
    }
}
