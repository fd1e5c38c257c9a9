/*
 * The baseline on a device of DPDK: the GNRS LOOKUP responder of gnrs_frames.h with DPDK's own functions, which the compiler
 * puts inline. A question is answered in the mbuf that it came in. Bursts of up to 64; when nothing has come it sleeps so long
 * as the workers of the server do: a nap while questions come, and once none came for 10 ms twice as long each time, up to
 * 1 ms. Without that it woke 20,000 times in a second while it was not its turn, on the processor of the other contestant.
 *
 *   gnrs_dpdk_responder --device net_memif0,role=server,... --address 10.0.0.2 --port 5001 --records 100000 --nap 40
 *
 * prints "ready" when it answers, and runs until it is killed.
 */
#include "gnrs_frames.h"

#include <sys/prctl.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "dpdk_pool.h"

enum { RING = 1024, MTU = 1500, IDLE_NANOS = 10000000, NAP_NANOS_MAX = 1000000 };

static struct rte_mempool *pool;
static uint16_t device_port;

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "gnrs_dpdk_responder: %s: %s\n", what, rte_strerror(rte_errno));
    exit(1);
}

static void start_dpdk(void) {
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    int first = 0;
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &cpus)) {
        first++;
    }
    char lcores[32], prefix[64];
    snprintf(lcores, sizeof lcores, "--lcores=0@%d", first);
    snprintf(prefix, sizeof prefix, "--file-prefix=gnrs-%d", getpid());
    char *arguments[] = {"gnrs_dpdk_responder", "--no-telemetry", "--no-huge", "--no-shconf", "-m", "64", "--no-pci", lcores,
                         prefix, "--log-level=error"};
    if (rte_eal_init(sizeof arguments / sizeof *arguments, arguments) < 0) {
        fail("rte_eal_init");
    }
}

static void open_device(const char *device) {
    char name[64];
    snprintf(name, sizeof name, "%s", device);
    name[strcspn(name, ",")] = 0;
    if (rte_dev_probe(device) < 0 || rte_eth_dev_get_port_by_name(name, &device_port) < 0) {
        fail(device);
    }
    struct rte_eth_conf conf = {.rxmode = {.mtu = MTU}};
    struct rte_ether_addr mac;
    if (rte_eth_dev_configure(device_port, 1, 1, &conf) < 0
        || rte_eth_rx_queue_setup(device_port, 0, RING, SOCKET_ID_ANY, NULL, pool) < 0
        || rte_eth_tx_queue_setup(device_port, 0, RING, SOCKET_ID_ANY, NULL) < 0
        || rte_eth_dev_start(device_port) < 0 || rte_eth_macaddr_get(device_port, &mac) < 0) {
        fail(device);
    }
    memcpy(station, mac.addr_bytes, sizeof station);
}

static int work_frames(void) {
    struct rte_mbuf *mbufs[BURST], *answers[BURST], *rest[BURST];
    int number = rte_eth_rx_burst(device_port, 0, mbufs, BURST);
    if (number == 0) {
        return 0;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t now_millis = now.tv_sec * 1000ll + now.tv_nsec / 1000000;
    int answered = 0, dropped = 0;
    for (int i = 0; i < number; i++) {
        struct rte_mbuf *mbuf = mbufs[i];
        uint32_t length = mbuf->nb_segs == 1 ? respond(rte_pktmbuf_mtod(mbuf, uint8_t *), mbuf->data_len, now_millis) : 0;
        if (length != 0) {
            mbuf->data_len = length;
            mbuf->pkt_len = length;
            answers[answered++] = mbuf;
        } else {
            rest[dropped++] = mbuf;
        }
    }
    int sent = answered == 0 ? 0 : rte_eth_tx_burst(device_port, 0, answers, answered);
    if (sent < answered) {
        rte_pktmbuf_free_bulk(answers + sent, answered - sent);
    }
    if (dropped > 0) {
        rte_pktmbuf_free_bulk(rest, dropped);
    }
    return number;
}

static int64_t nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Answers for ever. */
static _Noreturn void serve(long nap_nanos) {
    struct timespec nap = {.tv_nsec = nap_nanos};
    int64_t busy = nanos();
    int moved = 0;
    for (;;) {
        if (work_frames() > 0) {
            moved = 1;
        } else if (nap_nanos > 0) {
            int64_t now = nanos();
            if (moved) {
                busy = now;
                nap.tv_nsec = nap_nanos;
                moved = 0;
            } else if (now - busy >= IDLE_NANOS) {
                nap.tv_nsec = 2 * nap.tv_nsec < NAP_NANOS_MAX ? 2 * nap.tv_nsec : NAP_NANOS_MAX;
            }
            nanosleep(&nap, NULL);
        }
    }
}

int main(int count, char **words) {
    const char *device = "";
    uint64_t records = 100000;
    long nap_nanos = 40000;
    own.sin_family = AF_INET;
    own.sin_port = htons(5001);
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--device") == 0) {
            device = words[i + 1];
        } else if (strcmp(words[i], "--address") == 0) {
            inet_pton(AF_INET, words[i + 1], &own.sin_addr);
        } else if (strcmp(words[i], "--port") == 0) {
            own.sin_port = htons((uint16_t)atoi(words[i + 1]));
        } else if (strcmp(words[i], "--records") == 0) {
            records = (uint64_t)atoll(words[i + 1]);
        } else if (strcmp(words[i], "--nap") == 0) {
            nap_nanos = atol(words[i + 1]) * 1000;
        } else {
            fprintf(stderr, "gnrs_dpdk_responder: unknown option %s\n", words[i]);
            return 2;
        }
    }
    build(records);
    start_dpdk();
    pool = make_pool();
    if (pool == NULL) {
        fail("packet memory");
    }
    open_device(device);
    /* As the workers of the framework: preferred to whatever else wants their processor, and awake in time. */
    setpriority(PRIO_PROCESS, 0, -10);
    prctl(PR_SET_TIMERSLACK, 1);
    printf("ready\n");
    fflush(stdout);
    serve(nap_nanos);
}
