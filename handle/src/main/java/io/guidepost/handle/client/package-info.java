/**
 * A client of the native protocol: over UDP, TCP and HTTP, with keys, secrets and sessions; and who is responsible for a
 * handle. Blocking calls, made for virtual threads.
 */
@NullMarked
package io.guidepost.handle.client;

import org.jspecify.annotations.NullMarked;
