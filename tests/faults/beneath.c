/* What a program does to files beneath a folder, made to fail at one operation. It is loaded before the C library
 * (LD_PRELOAD), so that the program is the one that ships. FAULTS_BENEATH is the folder, FAULTS_CONTROL a file of
 * `struct control`, through which whoever tests says at which operation what fails, and sees how many there were.
 * FAULTS_FORCED, where it is given, is a folder of what a loss of power leaves of one in which files lie side by side:
 * each as it was when it was last forced to the disk, under the number of its inode, and in `names` the names as they
 * were when the folder was.
 * What a program asks of the kernel without the C library is not seen. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, BEFORE, AFTER, HALF, FULL, DEAD, KILLED_BEFORE, KILLED_AFTER };

struct control {
    /* Operations since it was set to 0. */
    uint64_t seen;
    /* The first that fails, from 1. */
    uint64_t at;
    /* Of enum kind: FULL and DEAD go on failing. */
    uint64_t kind;
    uint64_t error;
    /* How many failed. */
    uint64_t failed;
    /* Whether it is reads that are counted and fail, and nothing else. */
    uint64_t reads;
};

static struct control *control;
static const char *beneath, *forced_to;
static size_t length;

__attribute__((constructor)) static void begin(void)
{
    const char *file = getenv("FAULTS_CONTROL");
    beneath = getenv("FAULTS_BENEATH");
    forced_to = getenv("FAULTS_FORCED");
    if (file == NULL || beneath == NULL) {
        return;
    }
    length = strlen(beneath);
    int fd = open(file, O_RDWR | O_CLOEXEC);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) {
        /* A test that tests nothing must not pass. */
        fprintf(stderr, "FAULTS_CONTROL: %s\n", strerror(errno));
        abort();
    }
    close(fd);
    control = mapped;
}

static int is_beneath(const char *path)
{
    return strncmp(path, beneath, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int of_fd(int fd)
{
    char name[48], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t got = readlink(name, path, sizeof path - 1);
    if (got <= 0) {
        return 0;
    }
    path[got] = '\0';
    return is_beneath(path);
}

/* A path that is not absolute is one of a folder. */
static int of_path(int fd, const char *path)
{
    return path[0] == '/' ? is_beneath(path) : fd != AT_FDCWD && of_fd(fd);
}

/* What becomes of one operation: NONE where it is not to fail. `grows` is said of what a full disk has no room for. */
static enum kind falls(int is_of, int reads, int grows)
{
    if (control == NULL || !is_of || control->reads != (uint64_t)reads) {
        return NONE;
    }
    uint64_t number = __atomic_add_fetch(&control->seen, 1, __ATOMIC_SEQ_CST);
    uint64_t kind = __atomic_load_n(&control->kind, __ATOMIC_SEQ_CST);
    int goes_on = kind == FULL || kind == DEAD;
    if (kind == NONE || (goes_on ? number < control->at : number != control->at) || (kind == FULL && !grows)) {
        return NONE;
    }
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
    if (kind == KILLED_BEFORE) {
        raise(SIGKILL);
    }
    return (enum kind)kind;
}

/* After it was done: what it gives, or that it failed. */
static ssize_t fell(enum kind kind, ssize_t done)
{
    if (kind == KILLED_AFTER) {
        raise(SIGKILL);
    }
    if (kind == AFTER || kind == HALF) {
        errno = (int)control->error;
        return -1;
    }
    return done;
}

/* Whether it is not done at all. */
static int is_not_done(enum kind kind)
{
    return kind == BEFORE || kind == FULL || kind == DEAD;
}

static ssize_t refuse(void)
{
    errno = (int)control->error;
    return -1;
}

static void need(int is)
{
    if (!is) {
        /* What is left of a loss of power would be another thing. */
        perror("FAULTS_FORCED");
        abort();
    }
}

static FILE *kept(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", forced_to, name);
    FILE *file = fopen(path, "w");
    need(file != NULL);
    return file;
}

/* What was forced to the disk, with the result of that. */
static int forced(int fd, int done)
{
    struct stat of;
    if (done != 0 || forced_to == NULL || !of_fd(fd)) {
        return done;
    }
    need(fstat(fd, &of) == 0);
    if (S_ISDIR(of.st_mode)) {
        DIR *folder = opendir(beneath);
        FILE *names = kept("names");
        need(folder != NULL);
        for (struct dirent *one; (one = readdir(folder)) != NULL;) {
            need(one->d_type != DT_REG || fprintf(names, "%ju %s\n", (uintmax_t)one->d_ino, one->d_name) > 0);
        }
        closedir(folder);
        need(fclose(names) == 0);
        return done;
    }
    char name[48], block[1 << 16];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    /* It may be open for writing alone. What is opened here is not closed: that would let go of the locks. */
    int from = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
    need(from >= 0);
    snprintf(name, sizeof name, "%ju", (uintmax_t)of.st_ino);
    FILE *file = kept(name);
    for (ssize_t got, at = 0; (got = syscall(SYS_pread64, from, block, sizeof block, at)) != 0; at += got) {
        need(got > 0 && fwrite(block, 1, (size_t)got, file) == (size_t)got);
    }
    need(fclose(file) == 0);
    return done;
}

/* Nothing that is made later has the inode of what was made before. */
static int held(int is_new, int fd)
{
    need(!is_new || fd < 0 || forced_to == NULL || syscall(SYS_dup, fd) >= 0);
    return fd;
}

#define REAL(type, name, ...)                        \
    static type (*real)(__VA_ARGS__);                \
    if (real == NULL) {                              \
        *(void **)&real = dlsym(RTLD_NEXT, #name);   \
    }

#define DONE(type, call)                                                    \
    do {                                                                    \
        return is_not_done(kind) ? (type)refuse() : (type)fell(kind, call); \
    } while (0)

/* A half of it is written by HALF, which for anything else is BEFORE. */
#define SHARE(kind, count) ((kind) == HALF ? (count) / 2 : (count))
#define WHOLE(kind) ((kind) == HALF ? BEFORE : (kind))

ssize_t write(int fd, const void *bytes, size_t count)
{
    REAL(ssize_t, write, int, const void *, size_t)
    enum kind kind = falls(of_fd(fd), 0, 1);
    DONE(ssize_t, real(fd, bytes, SHARE(kind, count)));
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
    enum kind kind = falls(of_fd(fd), 0, 1);
    DONE(ssize_t, real(fd, bytes, SHARE(kind, count), at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
    enum kind kind = falls(of_fd(fd), 0, 1);
    DONE(ssize_t, real(fd, bytes, SHARE(kind, count), at));
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    REAL(ssize_t, writev, int, const struct iovec *, int)
    enum kind kind = WHOLE(falls(of_fd(fd), 0, 1));
    DONE(ssize_t, real(fd, parts, count));
}

ssize_t read(int fd, void *bytes, size_t count)
{
    REAL(ssize_t, read, int, void *, size_t)
    enum kind kind = WHOLE(falls(of_fd(fd), 1, 0));
    DONE(ssize_t, real(fd, bytes, count));
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at)
{
    REAL(ssize_t, pread64, int, void *, size_t, off64_t)
    enum kind kind = WHOLE(falls(of_fd(fd), 1, 0));
    DONE(ssize_t, real(fd, bytes, count, at));
}

int fsync(int fd)
{
    REAL(int, fsync, int)
    enum kind kind = WHOLE(falls(of_fd(fd), 0, 0));
    DONE(int, forced(fd, real(fd)));
}

int fdatasync(int fd)
{
    REAL(int, fdatasync, int)
    enum kind kind = WHOLE(falls(of_fd(fd), 0, 0));
    DONE(int, forced(fd, real(fd)));
}

/* A file that is cut shorter asks for no room. */
static int grows_to(int fd, off64_t size)
{
    struct stat found;
    return fstat(fd, &found) != 0 || size > found.st_size;
}

int ftruncate(int fd, off_t size)
{
    REAL(int, ftruncate, int, off_t)
    enum kind kind = WHOLE(falls(of_fd(fd), 0, grows_to(fd, size)));
    DONE(int, real(fd, size));
}

int ftruncate64(int fd, off64_t size)
{
    REAL(int, ftruncate64, int, off64_t)
    enum kind kind = WHOLE(falls(of_fd(fd), 0, grows_to(fd, size)));
    DONE(int, real(fd, size));
}

int unlink(const char *path)
{
    REAL(int, unlink, const char *)
    enum kind kind = WHOLE(falls(of_path(AT_FDCWD, path), 0, 0));
    DONE(int, real(path));
}

int unlinkat(int fd, const char *path, int flags)
{
    REAL(int, unlinkat, int, const char *, int)
    enum kind kind = WHOLE(falls(of_path(fd, path), 0, 0));
    DONE(int, real(fd, path, flags));
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *)
    enum kind kind = WHOLE(falls(of_path(AT_FDCWD, to), 0, 1));
    DONE(int, real(from, to));
}

int linkat(int from_fd, const char *from, int fd, const char *to, int flags)
{
    REAL(int, linkat, int, const char *, int, const char *, int)
    enum kind kind = WHOLE(falls(of_path(fd, to), 0, 1));
    DONE(int, real(from_fd, from, fd, to, flags));
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, mkdir, const char *, mode_t)
    enum kind kind = WHOLE(falls(of_path(AT_FDCWD, path), 0, 1));
    DONE(int, real(path, mode));
}

/* What only opens a file that is there does not change the disk. A descriptor that nobody is told of is closed. */
static int opened(enum kind kind, int fd)
{
    int told = (int)fell(kind, fd);
    if (told != fd && fd >= 0) {
        close(fd);
        errno = (int)control->error;
    }
    return told;
}

#define OPENS(name, folder, call)                                                          \
    mode_t mode = 0;                                                                       \
    int changes = (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;  \
    if (changes) {                                                                         \
        va_list more;                                                                      \
        va_start(more, flags);                                                             \
        mode = va_arg(more, mode_t);                                                       \
        va_end(more);                                                                      \
    }                                                                                      \
    int is_new = changes && faccessat(folder, path, F_OK, 0) != 0;                         \
    enum kind kind = WHOLE(falls(changes && of_path(folder, path), 0, is_new));            \
    return is_not_done(kind) ? (int)refuse() : opened(kind, held(is_new, call))

int open(const char *path, int flags, ...)
{
    REAL(int, open, const char *, int, ...)
    OPENS(open, AT_FDCWD, real(path, flags, mode));
}

int open64(const char *path, int flags, ...)
{
    REAL(int, open64, const char *, int, ...)
    OPENS(open64, AT_FDCWD, real(path, flags, mode));
}

int openat64(int fd, const char *path, int flags, ...)
{
    REAL(int, openat64, int, const char *, int, ...)
    OPENS(openat64, fd, real(fd, path, flags, mode));
}
