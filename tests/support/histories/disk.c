/* A disk that is full, or slow, for the processes that load this with LD_PRELOAD.
 *
 * The file that PARLOUR_DISK names holds two numbers of 32 bits: whether the disk is full, and by how many milliseconds
 * it delays every fsync. It is mapped, so a change of the file is felt at once, and by processes that run already.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static volatile const uint32_t *disk;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("PARLOUR_DISK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *map = mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
    if (map != MAP_FAILED)
        disk = map;
    close(file);
}

/* Only files are on the disk, and what a process says (1 and 2) is not meant. */
static int is_full_for(int file) {
    struct stat status;
    return disk && disk[0] && file > 2 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static void delay(void) {
    if (disk && disk[1]) {
        struct timespec time = {disk[1] / 1000, disk[1] % 1000 * 1000000L};
        nanosleep(&time, NULL);
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FULL(file)          \
    if (is_full_for(file)) { \
        errno = ENOSPC;     \
        return -1;          \
    }

ssize_t write(int file, const void *bytes, size_t count) { FULL(file) return REAL(write)(file, bytes, count); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { FULL(file) return REAL(pwrite)(file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { FULL(file) return REAL(pwrite64)(file, bytes, count, at); }
ssize_t writev(int file, const struct iovec *parts, int count) { FULL(file) return REAL(writev)(file, parts, count); }
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) { FULL(file) return REAL(pwritev)(file, parts, count, at); }
int fsync(int file) { delay(); return REAL(fsync)(file); }
int fdatasync(int file) { delay(); return REAL(fdatasync)(file); }
