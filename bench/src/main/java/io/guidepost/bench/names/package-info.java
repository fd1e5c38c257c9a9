/** Names over HTTP, beside etcd: reads, durable writes, watchers, memory. */
package io.guidepost.bench.names;
