/*
 * The baseline for ports of DPDK: what DpdkWork.java does, in C, with DPDK's own functions, burst for burst.
 *
 *   dpdk_work --device net_null0,size=64 --work list --queues 1 --frames FILE --rules FILE
 *
 * prints "ready"; then for each line "MILLIS" on its input works so long and prints "FRAMES BYTES PASSED CHECK"; ends with
 * its input.
 *
 * With --work send it is the other end of a device that is memory shared by two processes: it sends the frames of FILE, each
 * as long as --frame-bytes says, as fast as they are taken, and throws away what comes back. PASSED is then how many were
 * taken, FRAMES how many came back, and CHECK how often, in a thousand bursts, there was not room for all.
 *
 * FILE of frames: 64 bytes each, what every buffer of the pool begins with, one after the other. FILE of rules: a line
 * each, "SOURCE MASK DESTINATION MASK PROTOCOL FROM TO ALLOW" in decimal: protocol 256 = any, FROM to TO is the range of
 * the destination port.
 *
 * Memory of frames is an anonymous mapping that asks for huge pages, as that of the Java side is.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <rte_acl.h>
#include <rte_byteorder.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "dpdk_pool.h"

enum {
    BURST = 64,
    TEMPLATE = 64,     /* bytes of a frame in the file */
    TURN = 64,         /* bursts between two looks at the clock */
    RING_FRAMES = 512, /* frames that go round in a ring */
    RULES_MAX = 16384,
    SENT_FRAMES = 1024, /* different frames that a sender has */
    MALFORMED = -3,
    NOT_IP = -1
};

enum work { CAPTURE, TOUCH, FORWARD, LIST, EARLY, TREE, SEND };

static const char *const WORKS[] = {"capture", "touch", "forward", "list", "early", "tree", "send"};

struct rule {
    uint64_t value, mask;     /* source address above destination address */
    uint64_t lowest, highest; /* facts: protocol above destination port, a guard bit above each */
    int allow;
};

struct counter {
    uint64_t packets, bytes;
};

struct worker {
    pthread_t thread;
    int queue;
    uint64_t frames, bytes, passed, check;
    uint64_t addresses[BURST], facts[BURST];
    int64_t found[BURST];
    struct counter counters[RULES_MAX + 1];
    uint32_t acl_data[BURST][4];
} __rte_cache_aligned;

#define PORT_GUARD (1ull << 16)
#define PROTOCOL_SHIFT 17
#define PROTOCOL_GUARD (1ull << (PROTOCOL_SHIFT + 9))
#define GUARDS (PORT_GUARD | PROTOCOL_GUARD)

static enum work work;
static uint16_t port;
static struct rte_mempool *pool;
static struct rule rules[RULES_MAX];
static int rule_count;
static struct rte_acl_ctx *acl;
static uint8_t *templates;
static size_t template_count;
static int queues = 1;
static struct worker *workers;
static atomic_int running;
static sem_t go;
static atomic_int idle;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "dpdk_work: %s: %s\n", what, rte_strerror(rte_errno));
    exit(1);
}

/* ---- What is done with a burst ---- */

static uint64_t touch(struct rte_mbuf *const *mbufs, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        const uint8_t *data = rte_pktmbuf_mtod(mbufs[i], const uint8_t *);
        int length = mbufs[i]->data_len;
        for (int at = 0; at + 8 <= length; at += 64) {
            uint64_t word;
            memcpy(&word, data + at, 8);
            sum += word;
        }
    }
    return sum;
}

/* The checks that a parser owes to whoever trusts it; only IPv4 fits the rules of this program. */
static int64_t key(const struct rte_mbuf *mbuf, uint64_t *addresses, uint64_t *facts)
{
    const uint8_t *data = rte_pktmbuf_mtod(mbuf, const uint8_t *);
    uint32_t length = mbuf->data_len;
    *addresses = 0;
    *facts = 0;
    if (length < 14) {
        return MALFORMED;
    }
    uint32_t at = 14;
    uint16_t type = rte_be_to_cpu_16(*(const unaligned_uint16_t *)(data + 12));
    for (int tags = 0; type == RTE_ETHER_TYPE_VLAN || type == RTE_ETHER_TYPE_QINQ; tags++) {
        if (tags == 2 || length < at + 4) {
            return MALFORMED;
        }
        type = rte_be_to_cpu_16(*(const unaligned_uint16_t *)(data + at + 2));
        at += 4;
    }
    if (type != RTE_ETHER_TYPE_IPV4) {
        return NOT_IP;
    }
    if (length < at + 20) {
        return MALFORMED;
    }
    const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(data + at);
    uint32_t header = (ip->version_ihl & 15u) << 2;
    uint32_t total = rte_be_to_cpu_16(ip->total_length);
    if (ip->version_ihl >> 4 != 4 || header < 20 || total < header || total > length - at) {
        return MALFORMED;
    }
    uint32_t left = total - header;
    const uint8_t *next = data + at + header;
    uint64_t ports = 0;
    if ((rte_be_to_cpu_16(ip->fragment_offset) & 0x1fff) == 0) {
        if (ip->next_proto_id == IPPROTO_UDP) {
            const struct rte_udp_hdr *udp = (const struct rte_udp_hdr *)next;
            if (left < 8 || rte_be_to_cpu_16(udp->dgram_len) < 8 || rte_be_to_cpu_16(udp->dgram_len) > left) {
                return MALFORMED;
            }
            ports = rte_be_to_cpu_16(udp->dst_port);
        } else if (ip->next_proto_id == IPPROTO_TCP) {
            const struct rte_tcp_hdr *tcp = (const struct rte_tcp_hdr *)next;
            uint32_t bytes = left < 20 ? 0 : (tcp->data_off >> 4) * 4u;
            if (bytes < 20 || bytes > left) {
                return MALFORMED;
            }
            ports = rte_be_to_cpu_16(tcp->dst_port);
        }
    }
    *addresses = (uint64_t)rte_be_to_cpu_32(ip->src_addr) << 32 | rte_be_to_cpu_32(ip->dst_addr);
    *facts = GUARDS | (uint64_t)ip->next_proto_id << PROTOCOL_SHIFT | ports;
    return rule_count;
}

/* One rule against all packets of the burst, from the last rule to the first: gcc makes vector instructions of it. */
static void match_list(struct worker *w, int count)
{
    for (int r = rule_count - 1; r >= 0; r--) {
        uint64_t value = rules[r].value, mask = rules[r].mask;
        uint64_t lowest = rules[r].lowest, highest = rules[r].highest;
        for (int i = 0; i < count; i++) {
            uint64_t miss = ((w->addresses[i] ^ value) & mask)
                | (~((w->facts[i] - lowest) & (highest - w->facts[i])) & GUARDS);
            w->found[i] = miss == 0 ? r : w->found[i];
        }
    }
}

/* One packet against the rules, until one fits. */
static void match_early(struct worker *w, int count)
{
    for (int i = 0; i < count; i++) {
        if (w->facts[i] == 0) {
            continue;
        }
        int r = 0;
        for (; r < rule_count; r++) {
            uint64_t miss = ((w->addresses[i] ^ rules[r].value) & rules[r].mask)
                | (~((w->facts[i] - rules[r].lowest) & (rules[r].highest - w->facts[i])) & GUARDS);
            if (miss == 0) {
                break;
            }
        }
        w->found[i] = r;
    }
}

/* DPDK's own classifier. */
static void match_tree(struct worker *w, int count)
{
    const uint8_t *data[BURST];
    uint32_t results[BURST];
    int where[BURST];
    int asked = 0;
    for (int i = 0; i < count; i++) {
        if (w->facts[i] != 0) {
            uint32_t *row = w->acl_data[asked];
            row[0] = w->facts[i] >> PROTOCOL_SHIFT & 0xff;
            row[1] = rte_cpu_to_be_32(w->addresses[i] >> 32);
            row[2] = rte_cpu_to_be_32((uint32_t)w->addresses[i]);
            row[3] = rte_cpu_to_be_16(w->facts[i] & 0xffff);
            data[asked] = (const uint8_t *)row;
            where[asked++] = i;
        }
    }
    rte_acl_classify(acl, data, results, asked, 1);
    for (int i = 0; i < asked; i++) {
        w->found[where[i]] = results[i] == 0 ? rule_count : (int64_t)results[i] - 1;
    }
}

static void firewall(struct worker *w, struct rte_mbuf **mbufs, int count)
{
    struct rte_mbuf *passed[BURST], *denied[BURST];
    int pass = 0, deny = 0;
    for (int i = 0; i < count; i++) {
        w->found[i] = key(mbufs[i], &w->addresses[i], &w->facts[i]);
    }
    if (work == LIST) {
        match_list(w, count);
    } else if (work == EARLY) {
        match_early(w, count);
    } else {
        match_tree(w, count);
    }
    for (int i = 0; i < count; i++) {
        int64_t found = w->found[i];
        int allow = 0;
        if (found >= 0) {
            w->counters[found].packets++;
            w->counters[found].bytes += mbufs[i]->data_len;
            allow = rules[found].allow;
        }
        if (allow) {
            passed[pass++] = mbufs[i];
        } else {
            denied[deny++] = mbufs[i];
        }
    }
    if (deny > 0) {
        rte_pktmbuf_free_bulk(denied, deny);
    }
    int sent = pass == 0 ? 0 : rte_eth_tx_burst(port, w->queue, passed, pass);
    if (sent < pass) {
        rte_pktmbuf_free_bulk(passed + sent, pass - sent);
    }
    w->passed += sent;
}

static void burst(struct worker *w)
{
    struct rte_mbuf *mbufs[BURST];
    int count = rte_eth_rx_burst(port, w->queue, mbufs, BURST);
    if (count == 0) {
        return;
    }
    w->frames += count;
    uint64_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bytes += mbufs[i]->data_len;
    }
    w->bytes += bytes;
    switch (work) {
    case TOUCH:
        w->check += touch(mbufs, count);
        /* fall through */
    case CAPTURE:
        rte_pktmbuf_free_bulk(mbufs, count);
        break;
    case FORWARD:
        w->passed += rte_eth_tx_burst(port, w->queue, mbufs, count);
        break;
    default:
        firewall(w, mbufs, count);
    }
}

static struct rte_mbuf *sent_frames[SENT_FRAMES];
static uint64_t sent_bursts, full_bursts;

/* Frames are copied when they leave, so that the same ones can leave again and again: a reference to each stays here. */
static void make_frames(int bytes)
{
    for (int i = 0; i < SENT_FRAMES; i++) {
        sent_frames[i] = rte_pktmbuf_alloc(pool);
        memcpy(rte_pktmbuf_append(sent_frames[i], bytes), templates + i % template_count * TEMPLATE, TEMPLATE);
    }
}

static void send_burst(struct worker *w)
{
    static unsigned at;
    struct rte_mbuf **next = sent_frames + at;
    for (int i = 0; i < BURST; i++) {
        rte_mbuf_refcnt_update(next[i], 1);
    }
    int sent = rte_eth_tx_burst(port, w->queue, next, BURST);
    for (int i = sent; i < BURST; i++) {
        rte_mbuf_refcnt_update(next[i], -1);
    }
    at = (at + BURST) % SENT_FRAMES;
    w->passed += sent;
    sent_bursts++;
    full_bursts += sent < BURST;
    struct rte_mbuf *back[BURST];
    int count = rte_eth_rx_burst(port, w->queue, back, BURST);
    w->frames += count;
    rte_pktmbuf_free_bulk(back, count);
}

static void await_peer(void)
{
    struct rte_eth_link link = {0};
    while (rte_eth_link_get_nowait(port, &link) == 0 && link.link_status != RTE_ETH_LINK_UP) {
        usleep(1000);
    }
}

static void *run(void *argument)
{
    struct worker *w = argument;
    if (queues > 1) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(w->queue, &cpus);
        pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
    }
    /* As the workers of the framework, which are preferred to whatever else wants their processor. */
    setpriority(PRIO_PROCESS, 0, -10);
    if (rte_thread_register() < 0) {
        fail("rte_thread_register");
    }
    for (;;) {
        if (!atomic_load_explicit(&running, memory_order_acquire)) {
            atomic_fetch_add(&idle, 1);
            /* Without looking now and then, which would take from the opponent whose turn it is. */
            sem_wait(&go);
        }
        for (int i = 0; i < TURN; i++) {
            if (work == SEND) {
                send_burst(w);
            } else {
                burst(w);
            }
        }
    }
    return NULL;
}

/* ---- Setting up ---- */

static void fill_buffer(struct rte_mempool *mp, void *opaque, void *object, unsigned number)
{
    (void)mp;
    (void)opaque;
    struct rte_mbuf *mbuf = object;
    if (template_count > 0) {
        memcpy((uint8_t *)mbuf->buf_addr + RTE_PKTMBUF_HEADROOM, templates + number % template_count * TEMPLATE, TEMPLATE);
    }
}

static void open_device(const char *device)
{
    char name[64];
    snprintf(name, sizeof name, "%s", device);
    name[strcspn(name, ",")] = 0;
    if (rte_dev_probe(device) < 0 || rte_eth_dev_get_port_by_name(name, &port) < 0) {
        fail(device);
    }
    struct rte_eth_conf conf = {.rxmode = {.mtu = 1500}};
    if (rte_eth_dev_configure(port, queues, queues, &conf) < 0) {
        fail("configure");
    }
    for (int q = 0; q < queues; q++) {
        if (rte_eth_rx_queue_setup(port, q, 1024, SOCKET_ID_ANY, NULL, pool) < 0
            || rte_eth_tx_queue_setup(port, q, 1024, SOCKET_ID_ANY, NULL) < 0) {
            fail("queue");
        }
    }
    if (rte_eth_dev_start(port) < 0) {
        fail("start");
    }
}

static void fill_ring(int bytes)
{
    for (int q = 0; q < queues; q++) {
        for (int i = 0; i < RING_FRAMES; i++) {
            struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);
            memcpy(rte_pktmbuf_append(mbuf, bytes), templates + i % template_count * TEMPLATE, TEMPLATE);
            rte_eth_tx_burst(port, q, &mbuf, 1);
        }
    }
}

static void read_frames(const char *file)
{
    FILE *in = fopen(file, "rb");
    if (in == NULL) {
        fail(file);
    }
    templates = malloc((size_t)FRAMES * TEMPLATE);
    template_count = fread(templates, TEMPLATE, FRAMES, in);
    fclose(in);
}

static void read_rules(const char *file)
{
    FILE *in = fopen(file, "r");
    unsigned long from, from_mask, to, to_mask;
    unsigned protocol, low, high;
    int allow;
    if (in == NULL) {
        fail(file);
    }
    while (fscanf(in, "%lu %lu %lu %lu %u %u %u %d", &from, &from_mask, &to, &to_mask, &protocol, &low, &high, &allow) == 8) {
        uint64_t least = protocol == 256 ? 0 : protocol;
        uint64_t most = protocol == 256 ? 255 : protocol;
        rules[rule_count++] = (struct rule){
            .value = from << 32 | to,
            .mask = from_mask << 32 | to_mask,
            .lowest = least << PROTOCOL_SHIFT | low,
            .highest = (most << PROTOCOL_SHIFT | high) + 2 * GUARDS,
            .allow = allow,
        };
    }
    rules[rule_count].allow = 1;
    fclose(in);
}

RTE_ACL_RULE_DEF(acl_rule, 5);

static void make_tree(void)
{
    struct rte_acl_param param = {.name = "rules", .socket_id = SOCKET_ID_ANY, .rule_size = RTE_ACL_RULE_SZ(5),
                                  .max_rule_num = RULES_MAX};
    struct rte_acl_config config = {
        .num_categories = 1, .num_fields = 5, .defs = {
            {.type = RTE_ACL_FIELD_TYPE_BITMASK, .size = 1, .field_index = 0, .input_index = 0, .offset = 0},
            {.type = RTE_ACL_FIELD_TYPE_MASK, .size = 4, .field_index = 1, .input_index = 1, .offset = 4},
            {.type = RTE_ACL_FIELD_TYPE_MASK, .size = 4, .field_index = 2, .input_index = 2, .offset = 8},
            {.type = RTE_ACL_FIELD_TYPE_RANGE, .size = 2, .field_index = 3, .input_index = 3, .offset = 12},
            {.type = RTE_ACL_FIELD_TYPE_RANGE, .size = 2, .field_index = 4, .input_index = 3, .offset = 14}}};
    acl = rte_acl_create(&param);
    for (int i = 0; i < rule_count; i++) {
        uint32_t protocol = rules[i].lowest >> PROTOCOL_SHIFT & 0xff;
        int any = (rules[i].highest >> PROTOCOL_SHIFT & 0xff) != protocol;
        struct acl_rule rule = {.data = {.userdata = i + 1, .category_mask = 1, .priority = RULES_MAX - i}};
        rule.field[0] = (struct rte_acl_field){.value.u8 = any ? 0 : protocol, .mask_range.u8 = any ? 0 : 0xff};
        rule.field[1] = (struct rte_acl_field){.value.u32 = rules[i].value >> 32,
                                               .mask_range.u32 = __builtin_popcountll(rules[i].mask >> 32)};
        rule.field[2] = (struct rte_acl_field){.value.u32 = (uint32_t)rules[i].value,
                                               .mask_range.u32 = __builtin_popcountll(rules[i].mask & 0xffffffff)};
        rule.field[3] = (struct rte_acl_field){.value.u16 = rules[i].lowest & 0xffff,
                                               .mask_range.u16 = rules[i].highest & 0xffff};
        rule.field[4] = (struct rte_acl_field){.value.u16 = 0, .mask_range.u16 = 0xffff}; /* inputs are of four bytes */
        if (acl == NULL || rte_acl_add_rules(acl, (const struct rte_acl_rule *)&rule, 1) < 0) {
            fail("rule");
        }
    }
    if (rte_acl_build(acl, &config) < 0) {
        fail("rules");
    }
}

static int first_cpu(void)
{
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &cpus)) {
            return i;
        }
    }
    return 0;
}

static void start_dpdk(void)
{
    char lcores[32];
    snprintf(lcores, sizeof lcores, "--lcores=0@%d", first_cpu());
    char prefix[64];
    snprintf(prefix, sizeof prefix, "--file-prefix=dpdk-work-%d", getpid());
    char *arguments[] = {"dpdk_work", "--no-telemetry", "--no-huge", "--no-shconf", "-m", "64", "--no-pci", lcores, prefix,
                         "--log-level=error"};
    if (rte_eal_init(sizeof arguments / sizeof *arguments, arguments) < 0) {
        fail("rte_eal_init");
    }
}

static void start_workers(void)
{
    sem_init(&go, 0, 0);
    workers = calloc(queues, sizeof *workers);
    for (int i = 0; i < queues; i++) {
        workers[i].queue = i;
        pthread_create(&workers[i].thread, NULL, run, &workers[i]);
    }
}

static void measure(int millis)
{
    uint64_t frames = 0, bytes = 0, passed = 0, check = 0;
    for (int i = 0; i < queues; i++) {
        frames -= workers[i].frames;
        bytes -= workers[i].bytes;
        passed -= workers[i].passed;
    }
    sent_bursts = 0;
    full_bursts = 0;
    atomic_store(&idle, 0);
    atomic_store(&running, 1);
    for (int i = 0; i < queues; i++) {
        sem_post(&go);
    }
    usleep(millis * 1000u);
    atomic_store(&running, 0);
    while (atomic_load(&idle) < queues) {
        usleep(100);
    }
    for (int i = 0; i < queues; i++) {
        frames += workers[i].frames;
        bytes += workers[i].bytes;
        passed += workers[i].passed;
        check += workers[i].check;
    }
    if (sent_bursts > 0) {
        check = full_bursts * 1000 / sent_bursts;
    }
    printf("%lu %lu %lu %lu\n", frames, bytes, passed, check);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    const char *device = "net_null0";
    int ring_bytes = 0;
    int frame_bytes = TEMPLATE;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(arguments[i], "--device") == 0) {
            device = arguments[i + 1];
        } else if (strcmp(arguments[i], "--queues") == 0) {
            queues = atoi(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--frames") == 0) {
            read_frames(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--rules") == 0) {
            read_rules(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--ring-bytes") == 0) {
            ring_bytes = atoi(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--frame-bytes") == 0) {
            frame_bytes = atoi(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--work") == 0) {
            for (unsigned w = 0; w < sizeof WORKS / sizeof *WORKS; w++) {
                work = strcmp(arguments[i + 1], WORKS[w]) == 0 ? w : work;
            }
        }
    }
    start_dpdk();
    pool = make_pool();
    if (pool == NULL) {
        fail("packet memory");
    }
    rte_mempool_obj_iter(pool, fill_buffer, NULL);
    if (work == TREE) {
        make_tree();
    }
    open_device(device);
    if (ring_bytes > 0) {
        fill_ring(ring_bytes);
    }
    if (work == SEND) {
        make_frames(frame_bytes);
        await_peer();
    }
    start_workers();
    while (atomic_load(&idle) < queues) {
        usleep(100);
    }
    printf("ready\n");
    fflush(stdout);
    int millis;
    while (scanf("%d", &millis) == 1) {
        measure(millis);
    }
    return 0;
}
