/** Names over HTTP and JSON (openapi.json): the records behind them, lists by prefix, watches, leases. */
package io.guidepost.naming;
