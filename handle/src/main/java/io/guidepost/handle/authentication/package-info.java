/**
 * Challenge-response, signatures, session keys, MACs, encryption, replay protection. Pure: randomness is an argument,
 * and there is no input or output.
 */
@NullMarked
package io.guidepost.handle.authentication;

import org.jspecify.annotations.NullMarked;
