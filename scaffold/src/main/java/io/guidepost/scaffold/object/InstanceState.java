package io.guidepost.scaffold.object;

/** How an instance is. Flows go to healthy ones; where there is none to the next two kinds, as a refusal would be worse. */
public enum InstanceState {
    /** It takes flows. */
    HEALTHY,
    /** Several flows have lost it, and its host has not spoken since. */
    SUSPECTED,
    /** It was registered before the object router started, and its host has not spoken since. */
    UNHEARD,
    /** It is to have no more flows. */
    DRAINING,
    /** Its lease is over, or that of its host. */
    GONE
}
