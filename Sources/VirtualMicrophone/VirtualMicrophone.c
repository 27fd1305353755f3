// See VirtualMicrophone.h for what this is and how it is configured.
#include "VirtualMicrophone.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/timerfd.h>
#include <time.h>

static const long default_rate = 16000;
static const size_t bytes_per_sample = 2;

typedef struct {
    snd_pcm_ioplug_t io;
    FILE *file;               // NULL: silence
    long data_start;          // where the samples begin in the file
    long data_bytes;          // how many bytes of samples there are; negative: up to the end of the file
    long data_read;           // how many of them were played
    int loops;
    long xrun_ms, unplug_ms, hang_ms;  // negative: never
    long late_ms;             // from the start to the first sound, as of a headset that changes its profile
    int xrun_done, is_gone;
    int lock;                 // held while the device is open; negative: none
    int64_t spoken;               // frames handed over since it was opened; faults are counted by them
    struct timespec start;        // the pointer is counted from here
    snd_pcm_uframes_t delivered;  // frames handed over since `start`
} microphone_t;

static int64_t nanoseconds_since(const struct timespec *past) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - past->tv_sec) * 1000000000 + (now.tv_nsec - past->tv_nsec);
}

// MARK: - The recording

static uint32_t little_endian_32(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint16_t little_endian_16(const unsigned char *b) { return (uint16_t)(b[0] | b[1] << 8); }

// Finds the samples of a WAV file and its rate; a file that is not RIFF is taken as raw samples.
static int open_recording(microphone_t *mic, const char *path, long *rate) {
    unsigned char head[16];
    mic->file = fopen(path, "rbe");
    if (!mic->file) {
        int code = errno;
        SNDERR("virtualmic: cannot open %s: %s", path, strerror(code));
        return -code;
    }
    mic->data_start = 0;
    mic->data_bytes = -1;
    if (fread(head, 1, 12, mic->file) != 12 || memcmp(head, "RIFF", 4) || memcmp(head + 8, "WAVE", 4)) {
        rewind(mic->file);
        return 0;
    }
    while (fread(head, 1, 8, mic->file) == 8) {
        uint32_t size = little_endian_32(head + 4);
        if (!memcmp(head, "data", 4)) {
            mic->data_start = ftell(mic->file);
            mic->data_bytes = (long)size;
            return 0;
        }
        long skip = (long)size + (size & 1);  // chunks are padded to even lengths
        if (!memcmp(head, "fmt ", 4)) {
            if (size < 16 || fread(head, 1, 16, mic->file) != 16) break;
            if (little_endian_16(head + 2) != 1 || little_endian_16(head + 14) != 16) {
                SNDERR("virtualmic: %s is not 16-bit mono", path);
                return -EINVAL;
            }
            *rate = (long)little_endian_32(head + 4);
            skip -= 16;
        }
        if (fseek(mic->file, skip, SEEK_CUR) < 0) break;
    }
    SNDERR("virtualmic: %s holds no samples", path);
    return -EINVAL;
}

// Fills `frames` samples: the recording, then (or without one) silence.
static void play(microphone_t *mic, char *out, snd_pcm_uframes_t frames) {
    size_t wanted = frames * bytes_per_sample;
    int rewound = 0;
    while (wanted > 0 && mic->file) {
        size_t room = wanted;
        if (mic->data_bytes >= 0 && (long)room > mic->data_bytes - mic->data_read)
            room = (size_t)(mic->data_bytes - mic->data_read);
        size_t got = room ? fread(out, 1, room, mic->file) : 0;
        mic->data_read += (long)got;
        out += got;
        wanted -= got;
        if (got > 0) {
            rewound = 0;
        } else if (mic->loops && !rewound && fseek(mic->file, mic->data_start, SEEK_SET) == 0) {
            mic->data_read = 0;
            rewound = 1;  // an empty recording must not spin
        } else {
            break;
        }
    }
    memset(out, 0, wanted);
}

// As hardware does, a device with a lock serves one client at a time.
static int take_lock(microphone_t *mic, const char *path) {
    mic->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (mic->lock < 0) return -errno;
    if (flock(mic->lock, LOCK_EX | LOCK_NB) < 0) return errno == EWOULDBLOCK ? -EBUSY : -errno;
    return 0;
}

// MARK: - Callbacks of ALSA

static int microphone_prepare(snd_pcm_ioplug_t *io) {
    microphone_t *mic = io->private_data;
    mic->delivered = 0;
    return mic->is_gone ? -ENODEV : 0;
}

static int microphone_start(snd_pcm_ioplug_t *io) {
    microphone_t *mic = io->private_data;
    clock_gettime(CLOCK_MONOTONIC, &mic->start);
    if (mic->spoken == 0) {
        long nanoseconds = mic->start.tv_nsec + mic->late_ms % 1000 * 1000000;
        mic->start.tv_sec += mic->late_ms / 1000 + nanoseconds / 1000000000;
        mic->start.tv_nsec = nanoseconds % 1000000000;
    }
    mic->delivered = 0;
    // Rounded up, so that a whole period is there when the timer fires.
    int64_t period = (1000000000LL * (int64_t)io->period_size + io->rate - 1) / io->rate;
    struct timespec interval = {period / 1000000000, period % 1000000000};
    struct itimerspec timer = {interval, interval};
    return timerfd_settime(io->poll_fd, 0, &timer, NULL) < 0 ? -errno : 0;
}

static int microphone_stop(snd_pcm_ioplug_t *io) {
    struct itimerspec off = {{0, 0}, {0, 0}};
    return timerfd_settime(io->poll_fd, 0, &off, NULL) < 0 ? -errno : 0;
}

// The next fault, in milliseconds of sound; negative: none.
static long next_fault(const microphone_t *mic) {
    if (mic->xrun_ms >= 0 && !mic->xrun_done) return mic->xrun_ms;
    return mic->unplug_ms >= 0 ? mic->unplug_ms : mic->hang_ms;
}

static snd_pcm_sframes_t microphone_pointer(snd_pcm_ioplug_t *io) {
    microphone_t *mic = io->private_data;
    // By the sound itself, not by the clock: the same of it is heard on a machine that stood still for a while.
    int64_t spoken_ms = mic->spoken * 1000 / io->rate;
    if (mic->unplug_ms >= 0 && spoken_ms >= mic->unplug_ms) {
        mic->is_gone = 1;
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
        return -ENODEV;
    }
    if (mic->hang_ms >= 0 && spoken_ms >= mic->hang_ms) {
        for (;;) pause();
    }
    if (mic->xrun_ms >= 0 && !mic->xrun_done && spoken_ms >= mic->xrun_ms) {
        mic->xrun_done = 1;
        return -EPIPE;
    }
    int64_t elapsed = nanoseconds_since(&mic->start);
    if (elapsed < 0) elapsed = 0;
    snd_pcm_uframes_t recorded = (snd_pcm_uframes_t)((__int128)elapsed * io->rate / 1000000000);
    if (recorded - mic->delivered > io->buffer_size) return -EPIPE;  // not read in time
    // A late reader gets no sound from after the fault.
    int64_t fault_ms = next_fault(mic);
    snd_pcm_uframes_t left = (snd_pcm_uframes_t)((fault_ms * io->rate + 999) / 1000 - mic->spoken);
    if (fault_ms >= 0 && recorded - mic->delivered > left) recorded = mic->delivered + left;
    return (snd_pcm_sframes_t)(recorded % io->buffer_size);
}

static snd_pcm_sframes_t microphone_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    microphone_t *mic = io->private_data;
    play(mic, (char *)areas->addr + (areas->first + areas->step * offset) / 8, size);
    mic->delivered += size;
    mic->spoken += (int64_t)size;
    return (snd_pcm_sframes_t)size;
}

static int microphone_poll_revents(
    snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count, unsigned short *events) {
    microphone_t *mic = io->private_data;
    *events = 0;
    if (mic->is_gone) {
        *events = POLLIN | POLLERR;
    } else if (count > 0 && (descriptors[0].revents & POLLIN)) {
        uint64_t expirations;
        if (read(io->poll_fd, &expirations, sizeof expirations) == sizeof expirations) *events = POLLIN;
    }
    return 0;
}

static void release(microphone_t *mic) {
    if (mic->file) fclose(mic->file);
    if (mic->io.poll_fd >= 0) close(mic->io.poll_fd);
    if (mic->lock >= 0) close(mic->lock);
    free(mic);
}

static int microphone_close(snd_pcm_ioplug_t *io) {
    release(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = microphone_start,
    .stop = microphone_stop,
    .pointer = microphone_pointer,
    .transfer = microphone_transfer,
    .close = microphone_close,
    .prepare = microphone_prepare,
    .poll_revents = microphone_poll_revents,
};

// One format, one channel, the recording's own rate: programs that want another one convert.
static int limit_parameters(snd_pcm_ioplug_t *io, unsigned int rate) {
    static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    static const unsigned int format[] = {SND_PCM_FORMAT_S16_LE};
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
    if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 1);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, rate, rate);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 16);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 128);
    return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(virtualmic) {
    (void)root;
    const char *path = NULL, *lock = NULL;
    long rate = default_rate, xrun_ms = -1, unplug_ms = -1, hang_ms = -1, late_ms = 0;
    int loops = 0;

    snd_config_iterator_t entry, next;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(entry);
        const char *key;
        int error = 0;
        if (snd_config_get_id(node, &key) < 0) continue;
        if (!strcmp(key, "comment") || !strcmp(key, "type") || !strcmp(key, "hint")) continue;
        if (!strcmp(key, "infile")) error = snd_config_get_string(node, &path);
        else if (!strcmp(key, "lock")) error = snd_config_get_string(node, &lock);
        else if (!strcmp(key, "rate")) error = snd_config_get_integer(node, &rate);
        else if (!strcmp(key, "xrun_ms")) error = snd_config_get_integer(node, &xrun_ms);
        else if (!strcmp(key, "unplug_ms")) error = snd_config_get_integer(node, &unplug_ms);
        else if (!strcmp(key, "hang_ms")) error = snd_config_get_integer(node, &hang_ms);
        else if (!strcmp(key, "late_ms")) error = snd_config_get_integer(node, &late_ms);
        else if (!strcmp(key, "loop")) error = loops = snd_config_get_bool(node);
        else error = -EINVAL;
        if (error < 0) {
            SNDERR("virtualmic: cannot use the key %s", key);
            return error;
        }
    }
    if (stream != SND_PCM_STREAM_CAPTURE) {
        SNDERR("virtualmic: it only captures");
        return -EINVAL;
    }

    microphone_t *mic = calloc(1, sizeof *mic);
    if (!mic) return -ENOMEM;
    mic->io.poll_fd = -1;
    mic->lock = -1;
    mic->loops = loops > 0;
    mic->xrun_ms = xrun_ms;
    mic->unplug_ms = unplug_ms;
    mic->hang_ms = hang_ms;
    mic->late_ms = late_ms;
    int error = lock && *lock ? take_lock(mic, lock) : 0;
    if (error >= 0 && path && *path) error = open_recording(mic, path, &rate);
    if (error >= 0 && (rate < 4000 || rate > 384000)) error = -EINVAL;
    if (error >= 0) {
        mic->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        if (mic->io.poll_fd < 0) error = -errno;
    }
    if (error < 0) {
        release(mic);
        return error;
    }
    mic->io.version = SND_PCM_IOPLUG_VERSION;
    mic->io.name = "A recording played as a microphone";
    mic->io.poll_events = POLLIN;
    mic->io.callback = &callbacks;
    mic->io.private_data = mic;

    error = snd_pcm_ioplug_create(&mic->io, name, stream, mode);
    if (error < 0) {
        release(mic);
        return error;
    }
    error = limit_parameters(&mic->io, (unsigned int)rate);
    if (error < 0) {
        snd_pcm_ioplug_delete(&mic->io);  // calls microphone_close
        return error;
    }
    *pcmp = mic->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(virtualmic)
