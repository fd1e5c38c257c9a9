/** TCP segments and datagrams of a flow: read where they are, rewritten for another connection, written. Pure. */
package io.guidepost.scaffold.segment;
