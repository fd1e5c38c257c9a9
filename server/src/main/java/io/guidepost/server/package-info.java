/** The house: configuration, wiring of doors to ports, the admin port. Its command is in {@code cli}. */
package io.guidepost.server;
