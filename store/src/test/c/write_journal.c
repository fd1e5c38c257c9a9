/*
 * A library for LD_PRELOAD that journals what a process does to the files below one folder, so that a test can make the
 * disk that a power loss would have left at any point.
 *
 *  WRITE_JOURNAL_ROOT   the folder, absolute and without symbolic links
 *  WRITE_JOURNAL_FILE   the journal, outside of it
 *
 * Each call and its entry are made under one lock, so the journal has the order in which the calls took effect. No sync
 * reaches the disk: the journal says that it was asked for. An entry, in the byte order of the machine:
 *
 *  offset size
 *     0     1  kind, see below
 *     1     4  handle: a number for each opening, 0 = none
 *     5     8  offset or size in the file, or flags
 *    13     4  length of the first part
 *    17     4  length of the second part
 *    21     .  first part, second part
 *
 *  'o' opened: path, flags 1 = created, 2 = emptied       'w' written at an offset: the bytes
 *  't' has a size now                                     's' synced, file or folder
 *  'R' sync_file_range                                    'S' everything synced
 *  'i' written through stdio, so not followed from here   'c' closed
 *  'd' folder made: path       'x' folder removed: path   'u' unlinked: path
 *  'r' renamed: path, path     'l' linked: path, path     '!' a call that is not followed: its name
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MAX 65536
#define EXPORT __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int journal = -1;
static uint32_t handles;

static struct {
    uint32_t handle; /* 0 = not below the root */
    int synced;      /* each write is synced, O_DSYNC */
} files[FILES_MAX];

static void die(const char *why) {
    dprintf(2, "write_journal: %s: %s\n", why, strerror(errno));
    abort();
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("WRITE_JOURNAL_ROOT");
    const char *file = getenv("WRITE_JOURNAL_FILE");
    if (!folder || !file) {
        return;
    }
    journal = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (journal < 0) {
        die("no journal");
    }
    strncpy(root, folder, sizeof root - 1);
    root_length = strlen(root);
}

static void record2(char kind, uint32_t handle, uint64_t number, const void *a, size_t length_a, const void *b, size_t length_b) {
    int before = errno;
    char head[21];
    uint32_t lengths[2] = {length_a, length_b};
    head[0] = kind;
    memcpy(head + 1, &handle, 4);
    memcpy(head + 5, &number, 8);
    memcpy(head + 13, lengths, 8);
    struct iovec parts[3] = {{head, sizeof head}, {(void *) a, length_a}, {(void *) b, length_b}};
    if (syscall(SYS_writev, journal, parts, 3) != (long) (sizeof head + length_a + length_b)) {
        die("the journal takes no more");
    }
    errno = before;
}

static void record(char kind, uint32_t handle, uint64_t number, const void *bytes, size_t length) {
    record2(kind, handle, number, bytes, length, "", 0);
}

static void unfollowed(const char *name) {
    record('!', 0, 0, name, strlen(name));
}

static void acquire(void) {
    pthread_mutex_lock(&lock);
}

static void release(void) {
    int before = errno;
    pthread_mutex_unlock(&lock);
    errno = before;
}

static int tracked(int fd) {
    return root_length && fd >= 0 && fd < FILES_MAX && files[fd].handle;
}

/* Whether a path is below the root; whole gets it as an absolute one. */
static int below(int at, const char *path, char *whole) {
    if (!root_length || !path) {
        return 0;
    }
    if (path[0] == '/') {
        snprintf(whole, PATH_MAX, "%s", path);
    } else {
        char folder[PATH_MAX] = "";
        char link[64];
        snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
        if (syscall(SYS_readlinkat, AT_FDCWD, link, folder, sizeof folder - 1) < 0) {
            return 0;
        }
        if (snprintf(whole, PATH_MAX, "%s/%s", folder, path) >= PATH_MAX) {
            die("a path is too long");
        }
    }
    return !strncmp(whole, root, root_length) && (whole[root_length] == '/' || !whole[root_length]);
}

/* Opening and closing. */

static int opening(int at, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    if (!below(at, path, whole)) {
        return syscall(SYS_openat, at, path, flags, mode);
    }
    acquire();
    int existed = !syscall(SYS_faccessat, AT_FDCWD, whole, F_OK);
    int fd = syscall(SYS_openat, at, path, flags, mode);
    if (fd >= FILES_MAX) {
        die("too many open files");
    }
    if (fd >= 0) {
        if ((flags & O_TMPFILE) == O_TMPFILE) {
            unfollowed("O_TMPFILE");
        }
        files[fd].handle = ++handles;
        files[fd].synced = (flags & O_DSYNC) != 0;
        record('o', handles, (existed ? 0 : 1) | (flags & O_TRUNC ? 2 : 0), whole, strlen(whole));
    }
    release();
    return fd;
}

#define OPEN(name)                                            \
    EXPORT int name(const char *path, int flags, ...) {       \
        va_list more;                                         \
        va_start(more, flags);                                \
        mode_t mode = va_arg(more, mode_t);                   \
        va_end(more);                                         \
        return opening(AT_FDCWD, path, flags, mode);          \
    }
OPEN(open)
OPEN(open64)
OPEN(__open64)

#define OPENAT(name)                                            \
    EXPORT int name(int at, const char *path, int flags, ...) { \
        va_list more;                                           \
        va_start(more, flags);                                  \
        mode_t mode = va_arg(more, mode_t);                     \
        va_end(more);                                           \
        return opening(at, path, flags, mode);                  \
    }
OPENAT(openat)
OPENAT(openat64)

EXPORT int __open_2(const char *path, int flags) {
    return opening(AT_FDCWD, path, flags, 0);
}

EXPORT int __open64_2(const char *path, int flags) {
    return opening(AT_FDCWD, path, flags, 0);
}

EXPORT int creat(const char *path, mode_t mode) {
    return opening(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

EXPORT int creat64(const char *path, mode_t mode) {
    return opening(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* Forgets a descriptor that is about to be closed; with the lock. */
static void forget(int fd) {
    if (tracked(fd)) {
        record('c', files[fd].handle, 0, "", 0);
        files[fd].handle = 0;
    }
}

EXPORT int close(int fd) {
    if (!tracked(fd)) {
        return syscall(SYS_close, fd);
    }
    acquire();
    forget(fd);
    int done = syscall(SYS_close, fd);
    release();
    return done;
}

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        die(name);
    }
    return found;
}

EXPORT int fclose(FILE *file) {
    int (*real)(FILE *) = (int (*)(FILE *)) next("fclose");
    int fd = fileno(file);
    if (!tracked(fd)) {
        return real(file);
    }
    acquire();
    forget(fd);
    int done = real(file);
    release();
    return done;
}

EXPORT int closedir(DIR *folder) {
    int (*real)(DIR *) = (int (*)(DIR *)) next("closedir");
    int fd = dirfd(folder);
    if (!tracked(fd)) {
        return real(folder);
    }
    acquire();
    forget(fd);
    int done = real(folder);
    release();
    return done;
}

EXPORT FILE *fdopen(int fd, const char *mode) {
    FILE *(*real)(int, const char *) = (FILE * (*)(int, const char *)) next("fdopen");
    if (tracked(fd) && (mode[0] != 'r' || strchr(mode, '+'))) {
        acquire();
        record('i', files[fd].handle, 0, "", 0);
        release();
    }
    return real(fd, mode);
}

static FILE *stream(const char *name, const char *path, const char *mode) {
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) next(name);
    char whole[PATH_MAX];
    if (below(AT_FDCWD, path, whole) && (mode[0] != 'r' || strchr(mode, '+'))) {
        acquire();
        unfollowed(name);
        release();
    }
    return real(path, mode);
}

EXPORT FILE *fopen(const char *path, const char *mode) {
    return stream("fopen", path, mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode) {
    return stream("fopen64", path, mode);
}

static int duplicated(int from, int to) {
    if (to >= 0 && to < FILES_MAX && from != to && (tracked(from) || tracked(to))) {
        files[to] = files[from];
    }
    return to;
}

EXPORT int dup(int fd) {
    acquire();
    int done = duplicated(fd, syscall(SYS_dup, fd));
    release();
    return done;
}

EXPORT int dup3(int fd, int to, int flags) {
    acquire();
    int done = fd == to ? fd : duplicated(fd, syscall(SYS_dup3, fd, to, flags));
    release();
    return done;
}

EXPORT int dup2(int fd, int to) {
    return dup3(fd, to, 0);
}

static int control(int fd, int command, long argument) {
    if (command != F_DUPFD && command != F_DUPFD_CLOEXEC) {
        return syscall(SYS_fcntl, fd, command, argument);
    }
    acquire();
    int done = duplicated(fd, syscall(SYS_fcntl, fd, command, argument));
    release();
    return done;
}

#define FCNTL(name)                         \
    EXPORT int name(int fd, int command, ...) { \
        va_list more;                       \
        va_start(more, command);            \
        long argument = va_arg(more, long); \
        va_end(more);                       \
        return control(fd, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* Writing. */

static void wrote(int fd, uint64_t offset, const void *bytes, size_t length) {
    record('w', files[fd].handle, offset, bytes, length);
    if (files[fd].synced) {
        record('s', files[fd].handle, 0, "", 0);
    }
}

EXPORT ssize_t write(int fd, const void *bytes, size_t length) {
    if (!tracked(fd)) {
        return syscall(SYS_write, fd, bytes, length);
    }
    acquire();
    ssize_t done = syscall(SYS_write, fd, bytes, length);
    if (done > 0) {
        wrote(fd, syscall(SYS_lseek, fd, 0, SEEK_CUR) - done, bytes, done);
    }
    release();
    return done;
}

static ssize_t writing(int fd, const void *bytes, size_t length, off_t offset) {
    if (!tracked(fd)) {
        return syscall(SYS_pwrite64, fd, bytes, length, offset);
    }
    acquire();
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, length, offset);
    if (done > 0) {
        wrote(fd, offset, bytes, done);
    }
    release();
    return done;
}

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    return writing(fd, bytes, length, offset);
}

EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
    return writing(fd, bytes, length, offset);
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!tracked(fd)) {
        return syscall(SYS_writev, fd, parts, count);
    }
    ssize_t all = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = write(fd, parts[i].iov_base, parts[i].iov_len);
        if (done < 0) {
            return all ? all : done;
        }
        all += done;
        if (done < (ssize_t) parts[i].iov_len) {
            break;
        }
    }
    return all;
}

static ssize_t writings(int fd, const struct iovec *parts, int count, off_t offset) {
    if (!tracked(fd)) {
        return syscall(SYS_pwritev, fd, parts, count, offset, 0);
    }
    ssize_t all = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = writing(fd, parts[i].iov_base, parts[i].iov_len, offset + all);
        if (done < 0) {
            return all ? all : done;
        }
        all += done;
        if (done < (ssize_t) parts[i].iov_len) {
            break;
        }
    }
    return all;
}

EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    return writings(fd, parts, count, offset);
}

EXPORT ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
    return writings(fd, parts, count, offset);
}

/* Copies inside the kernel are declined, as old kernels and some file systems do; callers then read and write. */
EXPORT ssize_t copy_file_range(int in, off_t *in_at, int out, off_t *out_at, size_t length, unsigned flags) {
    if (tracked(out)) {
        errno = ENOSYS;
        return -1;
    }
    return syscall(SYS_copy_file_range, in, in_at, out, out_at, length, flags);
}

static ssize_t sending(int out, int in, off_t *offset, size_t length) {
    if (tracked(out)) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_sendfile, out, in, offset, length);
}

EXPORT ssize_t sendfile(int out, int in, off_t *offset, size_t length) {
    return sending(out, in, offset, length);
}

EXPORT ssize_t sendfile64(int out, int in, off_t *offset, size_t length) {
    return sending(out, in, offset, length);
}

static int resizing(int fd, off_t size) {
    if (!tracked(fd)) {
        return syscall(SYS_ftruncate, fd, size);
    }
    acquire();
    int done = syscall(SYS_ftruncate, fd, size);
    if (!done) {
        record('t', files[fd].handle, size, "", 0);
    }
    release();
    return done;
}

EXPORT int ftruncate(int fd, off_t size) {
    return resizing(fd, size);
}

EXPORT int ftruncate64(int fd, off_t size) {
    return resizing(fd, size);
}

static int allocating(int fd, int mode, off_t offset, off_t length) {
    if (!tracked(fd)) {
        return syscall(SYS_fallocate, fd, mode, offset, length);
    }
    acquire();
    struct stat now;
    fstat(fd, &now);
    int done = syscall(SYS_fallocate, fd, mode, offset, length);
    if (!done && !mode && offset + length > now.st_size) {
        record('t', files[fd].handle, offset + length, "", 0);
    } else if (!done && (mode & ~FALLOC_FL_KEEP_SIZE) && offset < now.st_size) {
        unfollowed("fallocate");
    }
    release();
    return done;
}

EXPORT int fallocate(int fd, int mode, off_t offset, off_t length) {
    return allocating(fd, mode, offset, length);
}

EXPORT int fallocate64(int fd, int mode, off_t offset, off_t length) {
    return allocating(fd, mode, offset, length);
}

EXPORT int posix_fallocate(int fd, off_t offset, off_t length) {
    return allocating(fd, 0, offset, length) ? errno : 0;
}

EXPORT int posix_fallocate64(int fd, off_t offset, off_t length) {
    return allocating(fd, 0, offset, length) ? errno : 0;
}

static void *mapping(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    if (!(flags & MAP_ANONYMOUS) && tracked(fd) && (protection & PROT_WRITE) && (flags & MAP_TYPE) != MAP_PRIVATE) {
        acquire();
        unfollowed("mmap");
        release();
    }
    return (void *) syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}

EXPORT void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return mapping(at, length, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return mapping(at, length, protection, flags, fd, offset);
}

/* Syncing. */

static int syncing(int fd, long call) {
    if (!tracked(fd)) {
        return syscall(call, fd);
    }
    acquire();
    record('s', files[fd].handle, 0, "", 0);
    release();
    return 0;
}

EXPORT int fsync(int fd) {
    return syncing(fd, SYS_fsync);
}

EXPORT int fdatasync(int fd) {
    return syncing(fd, SYS_fdatasync);
}

EXPORT int sync_file_range(int fd, off_t offset, off_t length, unsigned flags) {
    if (!tracked(fd)) {
        return syscall(SYS_sync_file_range, fd, offset, length, flags);
    }
    acquire();
    record('R', files[fd].handle, offset, "", 0);
    release();
    return 0;
}

EXPORT void sync(void) {
    acquire();
    if (root_length) {
        record('S', 0, 0, "", 0);
    }
    release();
}

EXPORT int syncfs(int fd) {
    if (tracked(fd)) {
        sync();
        return 0;
    }
    return syscall(SYS_syncfs, fd);
}

/* Names. */

static int naming(char kind, int at, const char *path, long (*call)(int, const char *, int), int argument) {
    char whole[PATH_MAX];
    if (!below(at, path, whole)) {
        return call(at, path, argument);
    }
    acquire();
    int done = call(at, path, argument);
    if (!done) {
        record(kind, 0, 0, whole, strlen(whole));
    }
    release();
    return done;
}

static long make_folder(int at, const char *path, int mode) {
    return syscall(SYS_mkdirat, at, path, mode);
}

static long remove_name(int at, const char *path, int flags) {
    return syscall(SYS_unlinkat, at, path, flags);
}

EXPORT int mkdir(const char *path, mode_t mode) {
    return naming('d', AT_FDCWD, path, make_folder, mode);
}

EXPORT int mkdirat(int at, const char *path, mode_t mode) {
    return naming('d', at, path, make_folder, mode);
}

EXPORT int unlinkat(int at, const char *path, int flags) {
    return naming(flags & AT_REMOVEDIR ? 'x' : 'u', at, path, remove_name, flags);
}

EXPORT int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

EXPORT int rmdir(const char *path) {
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

EXPORT int remove(const char *path) {
    int done = unlink(path);
    return done && errno == EISDIR ? rmdir(path) : done;
}

static int pair(char kind, int at, const char *from, int to_at, const char *to, unsigned flags, long call) {
    char whole[PATH_MAX];
    char whole_to[PATH_MAX];
    int from_below = below(at, from, whole);
    int to_below = below(to_at, to, whole_to);
    if (!from_below && !to_below) {
        return syscall(call, at, from, to_at, to, flags);
    }
    acquire();
    int done = syscall(call, at, from, to_at, to, flags);
    if (!done && (from_below != to_below || (kind == 'r' && flags & ~1u))) {
        unfollowed("rename or link across the root");
    } else if (!done) {
        record2(kind, 0, 0, whole, strlen(whole), whole_to, strlen(whole_to));
    }
    release();
    return done;
}

EXPORT int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) {
    return pair('r', at, from, to_at, to, flags, SYS_renameat2);
}

EXPORT int renameat(int at, const char *from, int to_at, const char *to) {
    return renameat2(at, from, to_at, to, 0);
}

EXPORT int rename(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

EXPORT int linkat(int at, const char *from, int to_at, const char *to, int flags) {
    return pair('l', at, from, to_at, to, flags, SYS_linkat);
}

EXPORT int link(const char *from, const char *to) {
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* A symbolic link below the root is refused: nothing there makes one. */
EXPORT int symlinkat(const char *target, int at, const char *path) {
    char whole[PATH_MAX];
    if (below(at, path, whole)) {
        errno = EPERM;
        return -1;
    }
    return syscall(SYS_symlinkat, target, at, path);
}

EXPORT int symlink(const char *target, const char *path) {
    return symlinkat(target, AT_FDCWD, path);
}
