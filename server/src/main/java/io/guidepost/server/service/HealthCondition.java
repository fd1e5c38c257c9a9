package io.guidepost.server.service;

/**
 * Something that is not as it should be, for as long as it is so: a reason of {@code degraded} in {@code /health}, a line in the
 * log when it begins and when it ends, and a metric.
 *
 * @param name of its kind, one of those of docs/operating.md, in lower case with hyphens
 * @param detail what is wrong and where, for people, in one line
 * @param ready whether requests may still be sent here; false where answers are wrong or missing that another server may have
 */
public record HealthCondition(String name, String detail, boolean ready) {}
