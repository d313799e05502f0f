/* A server for one page and the frames that follow, for this machine only: it listens on the loopback address, its
 * paths begin with a random token, and a request that comes from another page, or under another name of the host, is
 * refused. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "viewer.h"

enum { TOKEN_BYTES = 16, MOST_REQUEST = 8192, MOST_CLIENTS = 32, REQUEST_SECONDS = 5, ANSWER_SECONDS = 60 };

typedef struct client {
    int socket; /* -1: none */
    char request[MOST_REQUEST + 1];
    size_t size;  /* of the request so far */
    char *answer; /* NULL: it is still asking */
    size_t answer_size, sent;
    double until; /* when its time is over */
} client;

typedef struct server {
    const viewer_server *given;
    int socket, port;
    char token[2 * TOKEN_BYTES + 1];
    client clients[MOST_CLIENTS];
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
    fcntl(s->socket, F_SETFL, fcntl(s->socket, F_GETFL) | O_NONBLOCK);
    fcntl(s->socket, F_SETFD, FD_CLOEXEC);
    s->port = ntohs(address.sin_port);
    return WY_OK;
}

/* Makes the answer of a client; it is sent as the client takes it. */
static void answer(client *c, const char *status, const char *type, const char *body, size_t size) {
    char head[700];
    const int n = snprintf(head, sizeof head,
                           "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
                           "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                           "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                           "Cross-Origin-Opener-Policy: same-origin\r\n"
                           "Content-Security-Policy: frame-ancestors 'none'\r\n\r\n",
                           status, type, size);
    c->answer = malloc((size_t)n + size);
    if (!c->answer)
        return;
    memcpy(c->answer, head, (size_t)n);
    memcpy(c->answer + n, body, size);
    c->answer_size = (size_t)n + size;
}

static void refuse(client *c, const char *status) {
    answer(c, status, "text/plain; charset=utf-8", status, strlen(status));
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
static bool is_local(const server *s, const char *request) {
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

static void make_body(const server *s, client *c, const char *rest) {
    char *body = NULL;
    size_t size = 0;
    wy_error err = {0};
    const bool page = strcmp(rest, "") == 0, packet = strncmp(rest, "run?from=", 9) == 0;
    if (!page && !packet) {
        refuse(c, "404 Not Found");
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
        answer(c, "500 Internal Server Error", "text/plain; charset=utf-8", err.text, strlen(err.text));
    else
        answer(c, "200 OK", page ? "text/html; charset=utf-8" : "application/json", body, size);
    free(body);
}

static void make_answer(const server *s, client *c) {
    char path[512];
    if (strlen(c->request) != c->size || sscanf(c->request, "GET %511s HTTP/1.", path) != 1)
        refuse(c, "400 Bad Request");
    else if (!is_local(s, c->request))
        refuse(c, "403 Forbidden");
    else if (!has_token(s, path))
        refuse(c, "404 Not Found");
    else
        make_body(s, c, path + 2 + strlen(s->token));
}

/* ---- clients: each is served as far as it goes without waiting, and has a time in which it must be done ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void drop(client *c) {
    shutdown(c->socket, SHUT_WR);
    close(c->socket);
    free(c->answer);
    *c = (client){.socket = -1};
}

/* Takes a new client; where there are too many, in the place of the one that has been asking for longest. */
static void welcome(server *s) {
    const int to = accept(s->socket, NULL, NULL);
    if (to < 0)
        return;
    client *c = NULL;
    for (size_t i = 0; i < MOST_CLIENTS; i++) {
        client *other = &s->clients[i];
        if (other->socket < 0) {
            c = other;
            break;
        }
        if (!other->answer && (!c || other->until < c->until))
            c = other;
    }
    if (!c || fcntl(to, F_SETFL, fcntl(to, F_GETFL) | O_NONBLOCK) != 0 || fcntl(to, F_SETFD, FD_CLOEXEC) != 0) {
        close(to);
        return;
    }
    if (c->socket >= 0)
        drop(c);
    c->socket = to;
    c->until = now() + REQUEST_SECONDS;
}

/* Reads what is there; false: the client is done with. */
static bool hear(const server *s, client *c) {
    const ssize_t n = recv(c->socket, c->request + c->size, MOST_REQUEST - c->size, 0);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    if (n == 0)
        return false;
    c->size += (size_t)n;
    c->request[c->size] = 0;
    if (strstr(c->request, "\r\n\r\n") || c->size == MOST_REQUEST) {
        make_answer(s, c);
        c->until = now() + ANSWER_SECONDS;
        return c->answer != NULL;
    }
    return true;
}

static bool send_answer(client *c) {
    const ssize_t n = send(c->socket, c->answer + c->sent, c->answer_size - c->sent, MSG_NOSIGNAL);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    c->sent += (size_t)n;
    return c->sent < c->answer_size;
}

/* One round: serves every client that sends or can receive. */
static void serve(server *s) {
    struct pollfd waiting[MOST_CLIENTS + 1] = {{.fd = s->socket, .events = POLLIN}};
    for (size_t i = 0; i < MOST_CLIENTS; i++)
        waiting[1 + i] = (struct pollfd){.fd = s->clients[i].socket, .events = s->clients[i].answer ? POLLOUT : POLLIN};
    const int ready = poll(waiting, MOST_CLIENTS + 1, 250); /* a signal ends it at once */
    for (size_t i = 0; i < MOST_CLIENTS && !s->given->stop(); i++) {
        client *c = &s->clients[i];
        if (c->socket < 0)
            continue;
        const bool more = ready <= 0 || !waiting[1 + i].revents || (c->answer ? send_answer(c) : hear(s, c));
        if (!more || now() > c->until)
            drop(c);
    }
    if (ready > 0 && waiting[0].revents)
        welcome(s);
}

wy_status viewer_serve(const viewer_server *given, wy_error *err) {
    server *s = calloc(1, sizeof *s);
    if (!s)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a server");
    s->given = given;
    s->socket = -1;
    for (size_t i = 0; i < MOST_CLIENTS; i++)
        s->clients[i].socket = -1;
    wy_status status = make_token(s->token, err);
    if (!status)
        status = listen_on(s, err);
    if (!status) {
        char address[120];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", s->port, s->token);
        given->ready(address);
    }
    while (!status && !given->stop())
        serve(s);
    for (size_t i = 0; i < MOST_CLIENTS; i++)
        if (s->clients[i].socket >= 0)
            drop(&s->clients[i]);
    if (s->socket >= 0)
        close(s->socket);
    free(s);
    return status;
}
