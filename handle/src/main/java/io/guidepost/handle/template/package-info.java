/** Namespace templates: records computed from HS_NAMESPACE for handles that have none of their own. */
@NullMarked
package io.guidepost.handle.template;

import org.jspecify.annotations.NullMarked;
