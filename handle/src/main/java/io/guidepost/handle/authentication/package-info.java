/**
 * Challenge-response, signatures, session keys, MACs, encryption, replay protection. Pure: randomness is an argument,
 * and there is no input or output.
 */
package io.guidepost.handle.authentication;
