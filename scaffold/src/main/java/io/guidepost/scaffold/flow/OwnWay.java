package io.guidepost.scaffold.flow;

import io.guidepost.scaffold.wire.HostLocator;

/**
 * An own socket.
 *
 * @param locator where it receives
 * @param up whether its link is up
 */
record OwnWay(HostLocator locator, boolean up) {}
