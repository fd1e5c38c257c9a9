/**
 * Namespace templates: the values of HS_NAMESPACE, and the records computed by them for handles without one of their
 * own.
 */
package io.guidepost.handle.template;
