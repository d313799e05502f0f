/* A server for one page and the frames that follow, for this machine only: it listens on the loopback address, its
 * paths begin with a random token, and a request that comes from another page, or under another name of the host, is
 * refused. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "viewer.h"

enum { TOKEN_BYTES = 16, MOST_REQUEST = 8192 };

typedef struct server {
    const viewer_server *given;
    int socket, port;
    char token[2 * TOKEN_BYTES + 1];
} server;

static wy_status make_token(char *token, wy_error *err) {
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return wy_fail(err, WY_CANNOT_READ, "no random numbers for the address: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return WY_OK;
}

static wy_status listen_on(server *s, wy_error *err) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->given->port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    s->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (s->socket < 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot open a socket: %s", strerror(errno));
    setsockopt(s->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s->socket, (struct sockaddr *)&address, size) || listen(s->socket, 8) ||
        getsockname(s->socket, (struct sockaddr *)&address, &size))
        return wy_fail(err, WY_CANNOT_WRITE, "cannot listen on port %d of this machine: %s", s->given->port,
                       strerror(errno));
    s->port = ntohs(address.sin_port);
    return WY_OK;
}

static bool send_all(int to, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t n = send(to, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static void answer(int to, const char *status, const char *type, const char *body, size_t size) {
    char head[700];
    const int n = snprintf(head, sizeof head,
                           "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
                           "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                           "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                           "Cross-Origin-Opener-Policy: same-origin\r\n"
                           "Content-Security-Policy: frame-ancestors 'none'\r\n\r\n",
                           status, type, size);
    if (send_all(to, head, (size_t)n))
        send_all(to, body, size);
}

static void refuse(int to, const char *status) {
    answer(to, status, "text/plain; charset=utf-8", status, strlen(status));
}

/* The value of a header, up to its line's end; NULL where it is not there. */
static const char *header(const char *request, const char *name, size_t *length) {
    const size_t n = strlen(name);
    for (const char *line = strstr(request, "\r\n"); line; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, n) == 0 && line[n] == ':') {
            const char *value = line + n + 1 + strspn(line + n + 1, " \t");
            *length = strcspn(value, "\r\n");
            return value;
        }
    }
    return NULL;
}

static bool header_is(const char *request, const char *name, const char *expected) {
    size_t n;
    const char *value = header(request, name, &n);
    return value && n == strlen(expected) && strncmp(value, expected, n) == 0;
}

/* From this page itself or typed by the user, and under a name that is this machine's. */
static bool is_own(const server *s, const char *request) {
    char names[2][40], origins[2][50];
    size_t n;
    bool host = false, origin = header(request, "Origin", &n) == NULL;
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "%s:%d", i ? "localhost" : "127.0.0.1", s->port);
        snprintf(origins[i], sizeof origins[i], "http://%s", names[i]);
        host = host || header_is(request, "Host", names[i]);
        origin = origin || header_is(request, "Origin", origins[i]);
    }
    const bool foreign = header(request, "Sec-Fetch-Site", &n) &&
                         !header_is(request, "Sec-Fetch-Site", "same-origin") &&
                         !header_is(request, "Sec-Fetch-Site", "none");
    return host && origin && !foreign;
}

/* Every letter is compared, so that the time tells nothing. */
static bool has_token(const server *s, const char *path) {
    unsigned differ = path[0] != '/';
    const size_t n = strlen(s->token);
    if (strlen(path) < n + 2)
        return false;
    for (size_t i = 0; i < n; i++)
        differ |= (unsigned)(path[1 + i] ^ s->token[i]);
    return differ == 0 && path[1 + n] == '/';
}

static void serve_body(const server *s, int to, const char *rest) {
    char *body = NULL;
    size_t size = 0;
    wy_error err = {0};
    const bool page = strcmp(rest, "") == 0, packet = strncmp(rest, "run?from=", 9) == 0;
    if (!page && !packet) {
        refuse(to, "404 Not Found");
        return;
    }
    FILE *out = open_memstream(&body, &size);
    wy_status status = out ? WY_OK : wy_fail(&err, WY_NO_MEMORY, "no memory");
    if (!status && page)
        status = viewer_write_page(out, s->given->archive, &s->given->options, &err);
    else if (!status)
        status = viewer_write_packet(out, s->given->archive, (size_t)strtoul(rest + 9, NULL, 10), &err);
    if (out && fclose(out) && !status)
        status = wy_fail(&err, WY_NO_MEMORY, "no memory");
    if (status)
        answer(to, "500 Internal Server Error", "text/plain; charset=utf-8", err.text, strlen(err.text));
    else
        answer(to, "200 OK", page ? "text/html; charset=utf-8" : "application/json", body, size);
    free(body);
}

static void serve_one(const server *s, int to) {
    char request[MOST_REQUEST + 1], path[512];
    size_t size = 0;
    const struct timeval patience = {.tv_sec = 5};
    setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    do {
        const ssize_t n = recv(to, request + size, MOST_REQUEST - size, 0);
        if (n <= 0)
            return;
        size += (size_t)n;
        request[size] = 0;
    } while (!strstr(request, "\r\n\r\n") && size < MOST_REQUEST);
    if (strlen(request) != size || sscanf(request, "GET %511s HTTP/1.", path) != 1)
        refuse(to, "400 Bad Request");
    else if (!is_own(s, request))
        refuse(to, "403 Forbidden");
    else if (!has_token(s, path))
        refuse(to, "404 Not Found");
    else
        serve_body(s, to, path + 2 + strlen(s->token));
}

wy_status viewer_serve(const viewer_server *given, wy_error *err) {
    server s = {.given = given, .socket = -1};
    wy_status status = make_token(s.token, err);
    if (!status)
        status = listen_on(&s, err);
    if (!status) {
        char address[120];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", s.port, s.token);
        given->ready(address);
    }
    while (!status && !given->stop()) {
        struct pollfd waiting = {.fd = s.socket, .events = POLLIN};
        if (poll(&waiting, 1, 250) <= 0)
            continue;
        const int to = accept(s.socket, NULL, NULL);
        if (to < 0)
            continue;
        serve_one(&s, to);
        shutdown(to, SHUT_WR);
        close(to);
    }
    if (s.socket >= 0)
        close(s.socket);
    return status;
}
