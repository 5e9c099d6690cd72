// Draws the pictures of Tests/Fixtures/media. Usage: fixtures SCENE FRAMES > frames.bgra
// Each frame goes to standard output as 32-bit BGRA, which scripts/make-fixtures pipes to ffmpeg.
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tau = 6.283185307179586;

static void rgb(cairo_t *c, unsigned hex, double alpha) {
  cairo_set_source_rgba(c, (hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0,
                        (hex & 255) / 255.0, alpha);
}

static void stop(cairo_pattern_t *p, double at, unsigned hex, double alpha) {
  cairo_pattern_add_color_stop_rgba(p, at, (hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0,
                                    (hex & 255) / 255.0, alpha);
}

static void paint(cairo_t *c, cairo_pattern_t *p) {
  cairo_set_source(c, p);
  cairo_paint(c);
  cairo_pattern_destroy(p);
}

static void fill(cairo_t *c, cairo_pattern_t *p) {
  cairo_set_source(c, p);
  cairo_fill(c);
  cairo_pattern_destroy(p);
}

static void disc(cairo_t *c, double x, double y, double r) {
  cairo_new_sub_path(c);
  cairo_arc(c, x, y, r, 0, tau);
}

static void glow(cairo_t *c, double x, double y, double r, unsigned hex, double alpha) {
  cairo_pattern_t *p = cairo_pattern_create_radial(x, y, 0, x, y, r);
  stop(p, 0, hex, alpha);
  stop(p, 0.4, hex, alpha * 0.35);
  stop(p, 1, hex, 0);
  paint(c, p);
}

// A ridge of the given mean height, a sum of sines, so that every run draws the same one.
static void ridge(cairo_t *c, double w, double h, double base, double size, double seed) {
  cairo_move_to(c, 0, h);
  for (double x = 0; x <= w; x += 2) {
    double u = x / w * tau;
    double y = sin(u * 1.1 + seed) * 0.5 + sin(u * 2.7 + seed * 2.3) * 0.28 +
               fabs(sin(u * 4.9 + seed * 1.7)) * 0.24 + sin(u * 11 + seed * 3.1) * 0.07 +
               sin(u * 23 + seed) * 0.025;
    cairo_line_to(c, x, base - y * size);
  }
  cairo_line_to(c, w, h);
  cairo_close_path(c);
}

static void pine(cairo_t *c, double x, double y, double s) {
  for (int i = 0; i < 4; i++) {
    double top = y - s * (1 - i * 0.2), half = s * (0.09 + i * 0.055);
    cairo_move_to(c, x, top);
    cairo_line_to(c, x + half, top + s * 0.34);
    cairo_line_to(c, x - half, top + s * 0.34);
    cairo_close_path(c);
  }
  cairo_fill(c);
}

// A mountain lake in the evening.
static void landscape(cairo_t *c, double w, double h) {
  double shore = h * 0.68;
  cairo_pattern_t *p = cairo_pattern_create_linear(0, 0, 0, shore);
  stop(p, 0, 0x29386f, 1);
  stop(p, 0.38, 0x7a5a9e, 1);
  stop(p, 0.68, 0xf08a86, 1);
  stop(p, 1, 0xffd9a0, 1);
  paint(c, p);
  double sx = w * 0.64, sy = h * 0.46;
  glow(c, sx, sy, h * 0.62, 0xffe3b0, 0.75);
  disc(c, sx, sy, h * 0.07);
  rgb(c, 0xfff4d6, 1);
  cairo_fill(c);
  unsigned tones[] = {0xb77a9b, 0x8a5f91, 0x5c4a80, 0x37346a};
  for (int i = 0; i < 4; i++) {
    ridge(c, w, shore, shore - h * (0.17 - 0.045 * i), h * (0.15 - 0.025 * i), 1.3 + i * 1.9);
    p = cairo_pattern_create_linear(0, h * 0.3, 0, shore);
    stop(p, 0, tones[i], 1);
    stop(p, 1, i < 3 ? 0xe59a94 : 0x2c2a58, i < 2 ? 1 : 0.92);
    fill(c, p);
  }
  // The lake: the sky mirrored and darker, with the reflection of the sun.
  cairo_rectangle(c, 0, shore, w, h - shore);
  p = cairo_pattern_create_linear(0, shore, 0, h);
  stop(p, 0, 0xe89a8c, 1);
  stop(p, 0.35, 0x8d6299, 1);
  stop(p, 1, 0x2a3268, 1);
  fill(c, p);
  for (int i = 0; i < 26; i++) {
    double t = i / 25.0, y = shore + (h - shore) * (0.03 + t * 0.9);
    double half = w * (0.015 + 0.055 * t) * (0.6 + 0.4 * sin(i * 2.4));
    rgb(c, 0xffe9c0, 0.75 * (1 - t) + 0.08);
    cairo_rectangle(c, sx - half + sin(i * 1.7) * w * 0.012, y, half * 2, h * 0.004);
    cairo_fill(c);
  }
  for (int i = 0; i < 30; i++) {
    rgb(c, 0x1d1f45, 1);
    double x = w * (i < 20 ? i * 0.017 - 0.01 : 0.80 + (i - 20) * 0.023);
    double lift = i < 20 ? i * 0.0045 : (29 - i) * 0.004;
    pine(c, x, h * (0.93 + lift), h * (0.2 + 0.07 * sin(i * 5.1)) * (1 - lift * 3));
  }
  rgb(c, 0x1d1f45, 1);
  cairo_move_to(c, 0, h * 0.89);
  cairo_curve_to(c, w * 0.2, h * 0.9, w * 0.32, h * 0.985, w * 0.5, h * 0.98);
  cairo_curve_to(c, w * 0.7, h * 0.975, w * 0.85, h * 0.93, w, h * 0.9);
  cairo_line_to(c, w, h);
  cairo_line_to(c, 0, h);
  cairo_fill(c);
}

// Dunes at noon with a small balloon, for the photograph.
static void dunes(cairo_t *c, double w, double h) {
  cairo_pattern_t *p = cairo_pattern_create_linear(0, 0, 0, h * 0.7);
  stop(p, 0, 0x2f80c8, 1);
  stop(p, 0.6, 0x8cc7e8, 1);
  stop(p, 1, 0xe6f1ee, 1);
  paint(c, p);
  unsigned light[] = {0xe9c59a, 0xe3ae74, 0xd9934f, 0xc97a35};
  for (int i = 0; i < 4; i++) {
    double y = h * (0.56 + i * 0.1), s = i * 1.7;
    cairo_move_to(c, 0, h);
    cairo_line_to(c, 0, y + h * 0.05 * sin(s));
    cairo_curve_to(c, w * 0.3, y - h * 0.14 * cos(s), w * 0.5, y + h * 0.12, w * 0.68,
                   y - h * 0.05 * cos(s));
    cairo_curve_to(c, w * 0.8, y - h * 0.09, w * 0.9, y + h * 0.06, w, y - h * 0.02 * sin(s * 2));
    cairo_line_to(c, w, h);
    cairo_close_path(c);
    p = cairo_pattern_create_linear(w * 0.1, y - h * 0.1, w * (i % 2 ? -0.2 : 0.75), y + h * 0.5);
    stop(p, 0, light[i], 1);
    stop(p, 0.6, 0xb8703a, 1);
    stop(p, 1, 0x8c4a22, 1);
    fill(c, p);
  }
  double x = w * 0.32, y = h * 0.27, r = h * 0.11;
  unsigned stripes[] = {0xe8443a, 0xf7f3e8, 0xe8443a, 0xf7f3e8, 0xe8443a};
  cairo_save(c);
  cairo_move_to(c, x, y + r * 1.55);
  cairo_curve_to(c, x - r * 0.5, y + r * 1.1, x - r, y + r * 0.7, x - r, y);
  cairo_arc(c, x, y, r, tau / 2, 0);
  cairo_curve_to(c, x + r, y + r * 0.7, x + r * 0.5, y + r * 1.1, x, y + r * 1.55);
  cairo_clip(c);
  for (int i = 0; i < 5; i++) {
    double half = r * (1 - i * 0.2);
    cairo_save(c);
    cairo_translate(c, x, y);
    cairo_scale(c, half, r * 1.6);
    disc(c, 0, 0, 1);
    cairo_restore(c);
    rgb(c, stripes[i], 1);
    cairo_fill(c);
  }
  glow(c, x - r * 0.4, y - r * 0.4, r * 1.1, 0xffffff, 0.45);
  cairo_restore(c);
  rgb(c, 0x5b3a1e, 1);
  cairo_rectangle(c, x - r * 0.15, y + r * 1.75, r * 0.3, r * 0.24);
  cairo_fill(c);
  cairo_set_line_width(c, h * 0.002);
  for (int side = -1; side <= 1; side += 2) {
    cairo_move_to(c, x + side * r * 0.12, y + r * 1.5);
    cairo_line_to(c, x + side * r * 0.13, y + r * 1.76);
    cairo_stroke(c);
  }
  glow(c, w * 0.9, h * 0.06, h * 0.7, 0xfffbe6, 0.6);
}

static void cloud(cairo_t *c, double x, double y, double s) {
  cairo_new_path(c);
  disc(c, x - s * 0.52, y + s * 0.08, s * 0.30);
  disc(c, x - s * 0.12, y - s * 0.16, s * 0.44);
  disc(c, x + s * 0.38, y + s * 0.00, s * 0.36);
  cairo_rectangle(c, x - s * 0.52, y, s * 0.92, s * 0.38);
  disc(c, x + s * 0.62, y + s * 0.16, s * 0.22);
  cairo_rectangle(c, x + s * 0.3, y + s * 0.1, s * 0.32, s * 0.28);
}

// A rotating sun behind a drifting cloud, and a few drops; the last frame continues with the first.
static void weather(cairo_t *c, double w, double h, double t) {
  cairo_pattern_t *p = cairo_pattern_create_linear(0, 0, 0, h);
  stop(p, 0, 0x3d8fe0, 1);
  stop(p, 1, 0xa5d6f7, 1);
  paint(c, p);
  double x = w * 0.62, y = h * 0.36, r = h * 0.16;
  rgb(c, 0xffd84d, 1);
  cairo_set_line_width(c, h * 0.028);
  cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
  for (int i = 0; i < 12; i++) {
    double a = (i + 2 * t) * tau / 12, near = r * 1.3, far = r * (i % 2 ? 1.56 : 1.72);
    cairo_move_to(c, x + cos(a) * near, y + sin(a) * near);
    cairo_line_to(c, x + cos(a) * far, y + sin(a) * far);
    cairo_stroke(c);
  }
  disc(c, x, y, r);
  rgb(c, 0xffcf33, 1);
  cairo_fill(c);
  double sway = sin(t * tau) * w * 0.025;
  rgb(c, 0xd3e6f5, 1);
  cloud(c, w * 0.60 - sway * 0.8, h * 0.55, h * 0.26);
  cairo_fill(c);
  rgb(c, 0xffffff, 1);
  cloud(c, w * 0.44 + sway, h * 0.56, h * 0.36);
  cairo_fill(c);
  rgb(c, 0x2f7fd6, 1);
  for (int i = 0; i < 4; i++) {
    double f = fmod(t * 1.0 + i * 0.27, 1), dx = w * (0.24 + i * 0.13);
    double dy = h * (0.74 + f * 0.2), s = h * 0.032 * (f < 0.85 ? 1 : (1 - f) / 0.15);
    cairo_move_to(c, dx, dy - s * 2);
    cairo_curve_to(c, dx + s * 1.4, dy, dx + s * 0.9, dy + s, dx, dy + s);
    cairo_curve_to(c, dx - s * 0.9, dy + s, dx - s * 1.4, dy, dx, dy - s * 2);
    cairo_fill(c);
  }
}

static void star(cairo_t *c, double r) {
  for (int i = 0; i < 10; i++) {
    double a = i * tau / 10 - tau / 4, d = i % 2 ? r * 0.45 : r;
    cairo_line_to(c, cos(a) * d, sin(a) * d);
  }
  cairo_close_path(c);
}

// A gold medal that rotates on its ribbon in front of a dark curtain, with falling confetti.
static void medal(cairo_t *c, double w, double h, double t) {
  cairo_pattern_t *p = cairo_pattern_create_radial(w / 2, h * 0.5, 0, w / 2, h * 0.5, w * 0.62);
  stop(p, 0, 0x3a4a9a, 1);
  stop(p, 1, 0x0e1233, 1);
  paint(c, p);
  unsigned colours[] = {0xff5a5f, 0x3ddc97, 0xffd23f, 0x4cc9f0, 0xc77dff};
  for (int i = 0; i < 40; i++) {
    double x = fmod(i * 0.618034, 1), f = fmod(t + i * i * 0.1371 + i * 0.29, 1);
    cairo_save(c);
    cairo_translate(c, w * (x + 0.015 * sin(t * tau * 2 + i)), h * (f * 1.1 - 0.05));
    cairo_rotate(c, t * tau * (1 + i % 3) + i);
    cairo_scale(c, 1, fabs(cos(t * tau * 2 + i)) * 0.8 + 0.2);
    rgb(c, colours[i % 5], 0.95);
    cairo_rectangle(c, -h * 0.014, -h * 0.009, h * 0.028, h * 0.018);
    cairo_fill(c);
    cairo_restore(c);
  }
  double cx = w / 2, cy = h * 0.58, r = h * 0.26, turn = cos(t * tau);
  for (int side = -1; side <= 1; side += 2) {
    rgb(c, side < 0 ? 0x2f6fed : 0xe23e57, 1);
    cairo_move_to(c, cx + side * h * 0.24, -4);
    cairo_line_to(c, cx + side * h * 0.10, -4);
    cairo_line_to(c, cx - side * h * 0.05, cy - r * 0.85);
    cairo_line_to(c, cx + side * h * 0.05, cy - r * 0.85);
    cairo_fill(c);
  }
  glow(c, cx, cy, r * 2.1, 0xffd76a, 0.35);
  double s = fabs(turn) < 0.06 ? 0.06 : fabs(turn);
  cairo_save(c);
  cairo_translate(c, cx, cy);
  cairo_scale(c, s, 1);
  disc(c, 0, 0, r);
  p = cairo_pattern_create_linear(-r, -r, r, r);
  stop(p, 0, 0xfff2b8, 1);
  stop(p, 0.45, 0xf5c542, 1);
  stop(p, 1, 0xa86f12, 1);
  fill(c, p);
  disc(c, 0, 0, r * 0.8);
  p = cairo_pattern_create_linear(r, r, -r, -r);
  stop(p, 0, 0xffe89a, 1);
  stop(p, 1, 0xd79a22, 1);
  fill(c, p);
  star(c, r * 0.52);
  rgb(c, 0xfff6d2, 1);
  cairo_fill(c);
  disc(c, 0, 0, r);
  cairo_clip(c);
  double sweep = (fmod(t * 2, 1) * 4 - 2) * r;
  p = cairo_pattern_create_linear(sweep - r * 0.4, -r * 0.3, sweep + r * 0.4, r * 0.3);
  stop(p, 0, 0xffffff, 0);
  stop(p, 0.5, 0xffffff, 0.6);
  stop(p, 1, 0xffffff, 0);
  paint(c, p);
  cairo_restore(c);
}

int main(int count, char **arguments) {
  if (count != 3) return fprintf(stderr, "usage: fixtures landscape|dunes|weather|medal FRAMES\n"), 2;
  const char *scene = arguments[1];
  int frames = atoi(arguments[2]);
  int w = 960, h = 640;
  if (!strcmp(scene, "weather")) w = 240, h = 240;
  if (!strcmp(scene, "medal")) w = 480, h = 270;
  for (int i = 0; i < frames; i++) {
    double t = (double)i / frames;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    cairo_t *c = cairo_create(surface);
    if (!strcmp(scene, "landscape")) landscape(c, w, h);
    else if (!strcmp(scene, "dunes")) dunes(c, w, h);
    else if (!strcmp(scene, "weather")) weather(c, w, h, t);
    else medal(c, w, h, t);
    cairo_surface_flush(surface);
    for (int y = 0; y < h; y++)
      fwrite(cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface),
             4, w, stdout);
    cairo_destroy(c);
    cairo_surface_destroy(surface);
  }
  return 0;
}
