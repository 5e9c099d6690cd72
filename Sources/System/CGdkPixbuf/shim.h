#pragma once
#include <stddef.h>
#include <stdio.h>

// GdkPixbuf's functions that _Card and its tests call, declared here for the reason in CPangoCairo/shim.h.

typedef struct _GError GError;
typedef struct _GdkPixbuf GdkPixbuf;
typedef struct _GdkPixbufFormat GdkPixbufFormat;

#ifndef GDK_PIXBUF_H
typedef enum { GDK_COLORSPACE_RGB = 0 } GdkColorspace;
#endif

GdkPixbuf *gdk_pixbuf_apply_embedded_orientation(GdkPixbuf *pixbuf);
char *gdk_pixbuf_format_get_name(GdkPixbufFormat *format);
GdkPixbufFormat *gdk_pixbuf_get_file_info(const char *path, int *width, int *height);
int gdk_pixbuf_get_height(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_n_channels(const GdkPixbuf *pixbuf);
unsigned char *gdk_pixbuf_get_pixels(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_rowstride(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_width(const GdkPixbuf *pixbuf);
GdkPixbuf *gdk_pixbuf_new(GdkColorspace space, int has_alpha, int bits_per_sample, int width, int height);
GdkPixbuf *gdk_pixbuf_new_from_file(const char *path, GError **error);
GdkPixbuf *gdk_pixbuf_new_from_file_at_scale(
    const char *path, int width, int height, int keeps_ratio, GError **error);
const unsigned char *gdk_pixbuf_read_pixels(const GdkPixbuf *pixbuf);
int gdk_pixbuf_save_to_buffer(
    GdkPixbuf *pixbuf, char **buffer, size_t *count, const char *type, GError **error, ...)
    __attribute__((sentinel));

// In parentheses, because GLib may define macros of these names.
void (g_free)(void *memory);
void (g_object_unref)(void *object);

/* Encodes as JPEG; the buffer is the caller's to free with g_free. 0 where it cannot. */
static inline int martlet_jpeg(GdkPixbuf *pixbuf, int quality, char **buffer, size_t *count) {
  char text[16];
  snprintf(text, sizeof text, "%d", quality);
  return gdk_pixbuf_save_to_buffer(pixbuf, buffer, count, "jpeg", NULL, "quality", text, NULL);
}
