#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdio.h>

/* Encodes as JPEG; the buffer is the caller's to free with g_free. 0 where it cannot. */
static inline gboolean martlet_jpeg(GdkPixbuf *pixbuf, int quality, char **buffer, gsize *count) {
  char text[16];
  snprintf(text, sizeof text, "%d", quality);
  return gdk_pixbuf_save_to_buffer(pixbuf, buffer, count, "jpeg", NULL, "quality", text, NULL);
}
