/** Resolution and administration for every transport, and the access control in front of them. */
package io.guidepost.handle.operation;
