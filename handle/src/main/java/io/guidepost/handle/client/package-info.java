/**
 * A client of the native protocol over UDP, TCP and HTTP, with authentication and sessions; recursive resolution
 * through the root. Blocking calls, made for virtual threads.
 */
package io.guidepost.handle.client;
