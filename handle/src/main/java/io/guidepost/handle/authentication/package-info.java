/**
 * Who is it, and did they say that: challenge answers, signatures, session keys, MACs, encryption, replay protection.
 * Pure: randomness is an argument, and nothing is read or sent.
 */
@NullMarked
package io.guidepost.handle.authentication;

import org.jspecify.annotations.NullMarked;
