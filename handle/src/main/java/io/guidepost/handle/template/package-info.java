/**
 * Namespace templates: the values of HS_NAMESPACE, and the records computed by them for handles without one of their
 * own.
 */
@NullMarked
package io.guidepost.handle.template;

import org.jspecify.annotations.NullMarked;
