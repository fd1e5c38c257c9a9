/**
 * Load generators, baselines and scenes; not shipped.
 *
 * <pre>
 *  what asks       Load, Keys        what is asked, of which records, how fast
 *                  Generator         one thread: sends, receives, judges; Pace, Outstanding, Questions, Answers, Watch
 *                  Tally             what one run saw
 *  what is asked   ServerUnderTest   the product in a process of its own
 *                  Responder         the baseline in C: responder.c
 *                  EngineBaseline    the storage engine alone
 *  how it is told  Rounds, Spread    contestants take turns; ratios inside of a round
 *                  Report            a table as text, Markdown or JSON
 *  commands        BenchCommand      and one class for each scene
 * </pre>
 *
 * Source of the method: G. Tene, "How NOT to measure latency" (2013), for latencies that begin when a request was meant
 * to leave.
 */
package io.guidepost.bench;
