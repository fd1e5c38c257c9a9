package io.guidepost.alto;

import io.guidepost.proximity.Address;

/**
 * Who asks.
 *
 * @param address from which; behind trusted proxies already looked through
 */
public record Caller(Address address) {}
