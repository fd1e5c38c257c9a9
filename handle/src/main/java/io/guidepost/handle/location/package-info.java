/**
 * Values of type 10320/loc: several locations of one object, and the selection of one for a client by its geolocation.
 */
@NullMarked
package io.guidepost.handle.location;

import org.jspecify.annotations.NullMarked;
