/**
 * The relay of one worker: fetches records from peers with hedged requests and read repair, remembers them, and routes
 * what peers send.
 */
package io.guidepost.gnrs.relay;
