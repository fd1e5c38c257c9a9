package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** One request to several servers: to the next one when the last is slow or failed. The first answer counts. */
final class HedgedRequest<T> {
    private static final int DOUBLINGS_MAX = 10;
    private static final int TOO_MANY_REQUESTS = 429;

    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final List<CompletableFuture<T>> asked = new ArrayList<>();
    private final NameClientSettings settings;
    private final int servers;
    private final int attempts;
    private final IntFunction<CompletableFuture<T>> attempt;
    private int failed;

    private HedgedRequest(NameClientSettings settings, int servers, int attempts, IntFunction<CompletableFuture<T>> attempt) {
        this.settings = settings;
        this.servers = servers;
        this.attempts = attempts;
        this.attempt = attempt;
    }

    /** Makes attempts until one succeeds; those behind the first round of servers wait twice as long each time. */
    static <T> CompletableFuture<T> send(
            NameClientSettings settings, Duration timeout, List<?> servers, int attempts, IntFunction<CompletableFuture<T>> attempt) {
        HedgedRequest<T> request = new HedgedRequest<>(settings, servers.size(), attempts, attempt);
        CompletableFuture<T> unused = request.answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        request.next(0);
        return request.answer.handle((found, failure) -> {
            request.cancel();
            if (failure != null) {
                throw failure instanceof TimeoutException
                        ? new GuidepostException(Kind.TIMEOUT, "no answer within " + timeout.toMillis() + " ms " + servers)
                        : error(failure);
            }
            return found;
        });
    }

    private synchronized void cancel() {
        asked.forEach(each -> each.cancel(true));
    }

    private synchronized void next(int number) {
        if (answer.isDone() || number != asked.size() || number == attempts) {
            return;
        }
        CompletableFuture<T> future = attempt.apply(number);
        asked.add(future);
        long waitMillis = settings.hedgeAfter().toMillis() << Math.max(0, Math.min(DOUBLINGS_MAX, number - servers + 1));
        CompletableFuture.delayedExecutor(waitMillis, TimeUnit.MILLISECONDS).execute(() -> next(number + 1));
        CompletableFuture<T> unused = future.whenComplete((found, failure) -> {
            if (failure == null) {
                answer.complete(found);
            } else {
                fail(number, error(failure));
            }
        });
    }

    /** Goes on with another server, unless what this one refuses no other would take. */
    private synchronized void fail(int number, GuidepostException error) {
        failed++;
        if (failed == attempts || error.status() != 0 && error.status() < TOO_MANY_REQUESTS) {
            answer.completeExceptionally(error);
        } else {
            next(number + 1);
        }
    }

    /** Returns the exception that a failed request is told as. */
    static GuidepostException error(Throwable failure) {
        boolean wraps = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = wraps && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof GuidepostException known
                ? known
                : new GuidepostException(Kind.UNREACHABLE, cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
}
