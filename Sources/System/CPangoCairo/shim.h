#pragma once
#if !__has_include(<cairo/cairo.h>)
#error "cairo's headers are missing; install libpango1.0-dev"
#endif
#include <cairo/cairo.h>

// Pango's functions that _Card calls. Pango's headers are found only with the directories that pkg-config knows, and
// SwiftPM would ask pkg-config in the build of every package that depends on this one, with warnings
// (docs/contributing/decisions/0025). scripts/card-declarations compares these declarations with Pango's headers.

typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoAttribute PangoAttribute;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutLine PangoLayoutLine;
typedef struct _PangoRectangle PangoRectangle;

#ifndef __PANGO_H__
#define PANGO_SCALE 1024
typedef enum { PANGO_ALIGN_CENTER = 1, PANGO_ALIGN_RIGHT = 2 } PangoAlignment;
typedef enum { PANGO_DIRECTION_LTR = 0, PANGO_DIRECTION_RTL = 1 } PangoDirection;
typedef enum { PANGO_ELLIPSIZE_END = 3 } PangoEllipsizeMode;
typedef enum { PANGO_STYLE_ITALIC = 2 } PangoStyle;
typedef enum { PANGO_UNDERLINE_SINGLE = 1 } PangoUnderline;
typedef enum { PANGO_WEIGHT_NORMAL = 400 } PangoWeight;
typedef enum { PANGO_WRAP_WORD_CHAR = 2 } PangoWrapMode;
struct _PangoRectangle {
  int x, y, width, height;
};
// More members follow in the next two; Pango allocates them.
struct _PangoAttribute {
  const void *klass;
  unsigned start_index, end_index;
};
struct _PangoLayoutLine {
  PangoLayout *layout;
  int start_index;
};
#endif

PangoAttribute *pango_attr_font_features_new(const char *features);
PangoAttribute *pango_attr_insert_hyphens_new(int inserts_hyphens);
PangoAttribute *pango_attr_letter_spacing_new(int spacing);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);
PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_unref(PangoAttrList *list);
PangoAttribute *pango_attr_strikethrough_new(int strikethrough);
PangoAttribute *pango_attr_style_new(PangoStyle style);
PangoAttribute *pango_attr_underline_new(PangoUnderline underline);
PangoAttribute *pango_attr_weight_new(PangoWeight weight);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_cairo_context_set_resolution(PangoContext *context, double resolution);
PangoFontMap *pango_cairo_font_map_get_default(void);
void pango_cairo_show_layout(cairo_t *cairo, PangoLayout *layout);
void pango_context_set_base_dir(PangoContext *context, PangoDirection direction);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
void pango_context_set_round_glyph_positions(PangoContext *context, int rounds);
void pango_font_description_free(PangoFontDescription *description);
PangoFontDescription *pango_font_description_new(void);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_set_family(PangoFontDescription *description, const char *family);
void pango_font_description_set_weight(PangoFontDescription *description, PangoWeight weight);
PangoContext *pango_font_map_create_context(PangoFontMap *fonts);
PangoLanguage *pango_language_from_string(const char *name);
PangoDirection pango_layout_get_direction(PangoLayout *layout, int index);
void pango_layout_get_extents(PangoLayout *layout, PangoRectangle *ink, PangoRectangle *logical);
int pango_layout_get_line_count(PangoLayout *layout);
PangoLayoutLine *pango_layout_get_line_readonly(PangoLayout *layout, int number);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);
PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_alignment(PangoLayout *layout, PangoAlignment alignment);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *attributes);
void pango_layout_set_ellipsize(PangoLayout *layout, PangoEllipsizeMode mode);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_wrap(PangoLayout *layout, PangoWrapMode mode);

// In parentheses, because GLib may define macros of these names.
void (g_object_unref)(void *object);
