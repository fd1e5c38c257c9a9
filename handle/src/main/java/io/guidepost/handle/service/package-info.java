/**
 * The service behind every transport of the Handle door: authentication, resolution, administration. No input or output
 * but the store's.
 */
package io.guidepost.handle.service;
