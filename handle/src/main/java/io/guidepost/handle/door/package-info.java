/**
 * The Handle protocol over UDP, on the packet workers: the commonest question is answered out of the store's index, in
 * place; all else goes to the service behind every transport.
 */
@NullMarked
package io.guidepost.handle.door;

import org.jspecify.annotations.NullMarked;
