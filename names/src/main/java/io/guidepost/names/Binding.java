package io.guidepost.names;

/**
 * One locator that a name is bound to, with its lifetimes.
 *
 * @param locator the place
 * @param ttlMillis how long a cache may keep it, in milliseconds; 0 = not said
 * @param expiryMillis when it ends, in milliseconds since 1970; 0 = never
 */
public record Binding(Locator locator, long ttlMillis, long expiryMillis) {
    /** Returns a binding without a cache lifetime that never expires. */
    public static Binding of(Locator locator) {
        return new Binding(locator, 0, 0);
    }

    /** Returns whether the binding has expired at a time in milliseconds since 1970. */
    public boolean expired(long nowMillis) {
        return expiryMillis != 0 && expiryMillis <= nowMillis;
    }
}
