package io.guidepost.naming;

/**
 * The outcome of a change that was made.
 *
 * @param existed whether the name had places before
 * @param record the name after the change
 */
record WriteResult(boolean existed, NamedRecord record) {}
