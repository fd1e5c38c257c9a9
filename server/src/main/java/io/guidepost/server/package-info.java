/** The house: configuration, wiring of doors to ports, the admin port. Its command is in {@code cli}. */
@org.jspecify.annotations.NullMarked
package io.guidepost.server;
