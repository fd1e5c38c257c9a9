/**
 * The relay of one worker: fetches records from peers with hedged requests and read repair, remembers them, and routes
 * what peers send.
 */
@NullMarked
package io.guidepost.gnrs.relay;

import org.jspecify.annotations.NullMarked;
