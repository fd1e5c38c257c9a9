/** Templates of prefixes: the values of HS_NAMESPACE, and the records that are made by them for handles without any. */
@NullMarked
package io.guidepost.handle.template;

import org.jspecify.annotations.NullMarked;
