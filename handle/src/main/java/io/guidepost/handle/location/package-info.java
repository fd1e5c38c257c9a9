/**
 * Values of type 10320/loc: several locations of one object, and the selection of one for a client by its geolocation.
 */
package io.guidepost.handle.location;
