package io.guidepost.scaffold.object;

/** How far it is from an address to another, by the operator's topology. Asked for each instance of an object: without I/O. */
@FunctionalInterface
public interface Distance {
    /** All are equally far. */
    Distance EQUAL = (_, _, _, _) -> 0;

    /** Returns the cost of a way, lower is nearer; addresses as in {@link io.guidepost.base.Addresses}. */
    long of(long fromHigh, long fromLow, long toHigh, long toLow);
}
