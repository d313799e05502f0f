/* A run as a page for the browser: the archive's numbers and the scenario's meaning, packed into one HTML file. */
#ifndef WITHY_VIEWER_H
#define WITHY_VIEWER_H

#include <stdio.h>

#include <withy/io.h>

typedef struct viewer_options {
    bool plain;                  /* the viewer without packages, even where the other one was built */
    bool follow;                 /* the page asks its server for further frames */
    const char *const *overlays; /* archives that are shown beside the first one: the points of a sweep */
    size_t overlay_count;        /* at most VIEWER_MOST_OVERLAYS */
} viewer_options;
enum { VIEWER_MOST_OVERLAYS = 24 };

/* Writes the whole page of an archive, and of those beside it. */
wy_status viewer_write_page(FILE *out, const char *archive, const viewer_options *options, wy_error *err);

/* Writes what a page that follows a run is sent: the frames from `first` on, at most so many as fit into one answer, as
 * one JSON object. An archive that cannot be read (yet) is an answer too. */
wy_status viewer_write_packet(FILE *out, const char *archive, size_t first, wy_error *err);

/* Serves the page of an archive, and the frames that are added to it, to this machine only, until `stop` answers true.
 * Calls `ready` with the address, which holds a secret. `port` 0: any. */
typedef struct viewer_server {
    const char *archive;
    viewer_options options;
    int port;
    bool (*stop)(void);
    void (*ready)(const char *address);
} viewer_server;
wy_status viewer_serve(const viewer_server *server, wy_error *err);

/* "three" or "plain": which pages the build put into this command. */
const char *viewer_built(void);

#endif
