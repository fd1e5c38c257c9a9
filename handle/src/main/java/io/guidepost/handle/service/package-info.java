/**
 * The service behind every transport of the Handle door: who asks, what is found, what is changed. No input or output but
 * the store's.
 */
@NullMarked
package io.guidepost.handle.service;

import org.jspecify.annotations.NullMarked;
