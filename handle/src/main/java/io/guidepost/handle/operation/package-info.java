/** Resolution and administration for every transport, and the access control in front of them. */
@NullMarked
package io.guidepost.handle.operation;

import org.jspecify.annotations.NullMarked;
