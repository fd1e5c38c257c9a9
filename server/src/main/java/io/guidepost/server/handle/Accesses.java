package io.guidepost.server.handle;

import io.guidepost.handle.http.HttpRequest;
import io.guidepost.handle.service.Call;
import java.util.List;

/** Hears of what was asked and answered. Thread-safe; must be quick, as it is called by those who answer. */
public interface Accesses {
    /** Somebody else's business. */
    Accesses NONE = new Accesses() {
        @Override
        public void message(Call call, byte[] answer, long nanos) {}

        @Override
        public void page(HttpRequest request, int status, long nanos) {}
    };

    /**
     * A message was answered.
     *
     * @param answer its first message; empty if there was none
     * @param nanos how long that took
     */
    void message(Call call, byte[] answer, long nanos);

    /** A request over HTTP was answered that was no message of the native protocol. */
    void page(HttpRequest request, int status, long nanos);

    /** Tells several of each. */
    static Accesses all(List<Accesses> several) {
        return new Accesses() {
            @Override
            public void message(Call call, byte[] answer, long nanos) {
                several.forEach(each -> each.message(call, answer, nanos));
            }

            @Override
            public void page(HttpRequest request, int status, long nanos) {
                several.forEach(each -> each.page(request, status, nanos));
            }
        };
    }
}
