/**
 * The Handle protocol over UDP on the packet workers: public resolution in place out of the store's index; all other
 * requests through the service behind every transport.
 */
package io.guidepost.handle.door;
