/* Packet memory of the programs on DPDK: in huge pages if the system has some, as the framework's. */
#ifndef DPDK_POOL_H
#define DPDK_POOL_H

#include <sys/mman.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

enum { FRAMES = 16383, CACHE = 512, ROOM = 2048 + RTE_PKTMBUF_HEADROOM };

#define HUGE_PAGE (2ul << 20)

/* A pool of FRAMES buffers of ROOM bytes; NULL if that cannot be had. */
static struct rte_mempool *make_pool(void) {
    struct rte_pktmbuf_pool_private room = {.mbuf_data_room_size = ROOM};
    struct rte_mempool *made = rte_mempool_create_empty("frames", FRAMES, sizeof(struct rte_mbuf) + ROOM, CACHE, sizeof room,
                                                        SOCKET_ID_ANY, RTE_MEMPOOL_F_NO_IOVA_CONTIG);
    if (made == NULL || rte_mempool_set_ops_byname(made, "ring_mp_mc", NULL) < 0) {
        return NULL;
    }
    rte_pktmbuf_pool_init(made, &room);
    size_t bytes = (size_t)FRAMES * (made->header_size + made->elt_size + made->trailer_size) + 64;
    char *memory = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    memory = RTE_PTR_ALIGN_CEIL(memory, HUGE_PAGE);
    madvise(memory, bytes, MADV_HUGEPAGE);
    if (rte_mempool_populate_iova(made, memory, (rte_iova_t)memory, bytes, NULL, NULL) < FRAMES) {
        return NULL;
    }
    rte_mempool_obj_iter(made, rte_pktmbuf_init, NULL);
    return made;
}

#endif
