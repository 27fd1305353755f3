#include "CLinux.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <spawn.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/socket.h>

int clinux_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    int reason = errno ? errno : -1;
    // Else it would be tried, and told, again at the end.
    __fpurge(stdout);
    clearerr(stdout);
    return reason;
}

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

/// Whether an answer is about a connection to that path; then fills in the backlog.
static bool read_backlog(const struct nlmsghdr *message, const char *path, struct clinux_backlog *backlog) {
    const struct unix_diag_msg *entry = NLMSG_DATA(message);
    const struct rtattr *attribute = (const struct rtattr *)(entry + 1);
    int left = (int)message->nlmsg_len - (int)NLMSG_LENGTH(sizeof *entry);
    bool is_meant = false, is_told = false;
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
        size_t size = RTA_PAYLOAD(attribute);
        if (attribute->rta_type == UNIX_DIAG_NAME) {
            size_t length = strnlen(RTA_DATA(attribute), size);
            is_meant = length == strlen(path) && memcmp(RTA_DATA(attribute), path, length) == 0;
        } else if (attribute->rta_type == UNIX_DIAG_RQLEN && size >= sizeof(struct unix_diag_rqlen)) {
            const struct unix_diag_rqlen *lengths = RTA_DATA(attribute);
            backlog->connection = entry->udiag_ino;
            backlog->unread = lengths->udiag_wqueue;
            is_told = true;
        }
    }
    return is_meant && is_told;
}

int clinux_backlogs(const char *path, struct clinux_backlog *backlogs, int capacity) {
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) return -1;
    struct {
        struct nlmsghdr header;
        struct unix_diag_req body;
    } request = {
        .header = {.nlmsg_len = sizeof request,
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        // 1 is TCP_ESTABLISHED, which Unix sockets use as well.
        .body = {.sdiag_family = AF_UNIX,
                 .udiag_states = 1 << 1,
                 .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_RQLEN},
    };
    int count = send(netlink, &request, sizeof request, 0) == (ssize_t)sizeof request ? 0 : -1;
    bool goes_on = count == 0;
    while (goes_on) {
        alignas(struct nlmsghdr) char answer[16384];
        ssize_t size = recv(netlink, answer, sizeof answer, MSG_TRUNC);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0 || size > (ssize_t)sizeof answer) count = -1;
        goes_on = count >= 0;
        int left = goes_on ? (int)size : 0;
        const struct nlmsghdr *message = (const struct nlmsghdr *)answer;
        for (; goes_on && NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
            if (message->nlmsg_type == NLMSG_ERROR) count = -1;
            goes_on = message->nlmsg_type == SOCK_DIAG_BY_FAMILY;
            if (goes_on && count < capacity && read_backlog(message, path, &backlogs[count])) count++;
        }
    }
    close(netlink);
    return count;
}

int clinux_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

short clinux_spawn_setsid(void) { return POSIX_SPAWN_SETSID; }
