import CPangoCairo
import NotificationTemplates

/// A Pango context with fixed settings, so that the environment does not change the picture.
@safe final class Typesetter {
  private let context: OpaquePointer?
  private let family: String
  private let factor: Double
  private let isRightToLeft: Bool

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - family: The font.
  ///   - factor: A factor for every font size.
  ///   - isRightToLeft: Whether all text aligns right.
  init(family: String, factor: Double = 1, isRightToLeft: Bool = false) {
    self.family = family
    self.factor = factor
    self.isRightToLeft = isRightToLeft
    unsafe context = unsafe pango_font_map_create_context(pango_cairo_font_map_get_default())
    unsafe pango_cairo_context_set_resolution(context, 72)
    let options = unsafe cairo_font_options_create()
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    unsafe pango_cairo_context_set_font_options(context, options)
    unsafe cairo_font_options_destroy(options)
    unsafe pango_context_set_round_glyph_positions(context, 0)
    unsafe pango_context_set_language(context, pango_language_from_string("en"))
    unsafe pango_context_set_base_dir(context, PANGO_DIRECTION_LTR)
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }

  struct Font {
    var size: Double
    /// The weight as in CSS: 400 is regular, 600 semibold.
    var weight: UInt32 = 400
    /// Whether all digits are as wide.
    var hasEvenDigits = false
  }

  /// Breaks a text into lines of a width; a text of more than `lines` ends in an ellipsis.
  ///
  /// Paragraphs of a right-to-left script are aligned right by Pango.
  func layout(
    _ text: TemplateText, _ font: Font, width: Double, lines: Int, isCentered: Bool = false
  ) -> TextLayout {
    let clean = CleanText(text, limit: min(lines * 200, 4096), breaks: lines > 1)
    let whole = set(clean, font, width: width, lines: nil, isCentered: isCentered)
    guard whole.lineCount > lines else { return whole }
    return set(
      clean.cut(after: whole.start(ofLine: lines - 1)), font, width: width, lines: lines,
      isCentered: isCentered)
  }

  func layout(_ text: String, _ font: Font, width: Double, lines: Int) -> TextLayout {
    layout(TemplateText(text), font, width: width, lines: lines)
  }

  private func set(
    _ clean: CleanText, _ font: Font, width: Double, lines: Int?, isCentered: Bool
  ) -> TextLayout {
    let text = clean.string
    let layout = unsafe pango_layout_new(context)
    let description = unsafe pango_font_description_new()
    unsafe pango_font_description_set_family(description, family)
    unsafe pango_font_description_set_absolute_size(
      description, font.size * factor * Double(PANGO_SCALE))
    unsafe pango_font_description_set_weight(description, PangoWeight(font.weight))
    unsafe pango_layout_set_font_description(layout, description)
    unsafe pango_font_description_free(description)
    unsafe pango_layout_set_width(layout, Int32(max(1, width) * Double(PANGO_SCALE)))
    unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    if let lines {
      unsafe pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
      unsafe pango_layout_set_height(layout, -Int32(lines))
    }
    let attributes = unsafe pango_attr_list_new()
    // iOS breaks a word that is too long without a hyphen.
    unsafe pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    if Self.mayBeTightened(text) {
      let tracking = Int32(font.size * factor * -0.012 * Double(PANGO_SCALE))
      unsafe pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(tracking))
    }
    if font.hasEvenDigits {
      unsafe pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
    }
    for mark in clean.marks {
      let attribute = unsafe Self.attribute(mark.style)
      unsafe attribute?.pointee.start_index = UInt32(mark.range.lowerBound)
      unsafe attribute?.pointee.end_index = UInt32(mark.range.upperBound)
      unsafe pango_attr_list_insert(attributes, attribute)
    }
    unsafe pango_layout_set_attributes(layout, attributes)
    unsafe pango_attr_list_unref(attributes)
    unsafe pango_layout_set_text(layout, text, Int32(text.utf8.count))
    // Pango's "left" is the side on which the paragraph's script begins.
    if isCentered {
      unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
    } else if isRightToLeft, unsafe pango_layout_get_direction(layout, 0) != PANGO_DIRECTION_RTL {
      unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT)
    }
    return unsafe TextLayout(owning: layout)
  }

  private static func attribute(
    _ style: TemplateText.Style
  ) -> UnsafeMutablePointer<PangoAttribute>? {
    switch style {
    case .bold: unsafe pango_attr_weight_new(PangoWeight(700))
    case .italic: unsafe pango_attr_style_new(PANGO_STYLE_ITALIC)
    case .underline: unsafe pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)
    case .strikethrough: unsafe pango_attr_strikethrough_new(1)
    }
  }

  /// Whether letters may be set closer: Inter is wider than Apple's font, but joined scripts must stay as
  /// they are.
  private static func mayBeTightened(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value < 0x590 || 0x2000..<0x2e80 ~= $0.value || $0.value >= 0x1f000
    }
  }
}

/// A Pango layout, which it owns: a text with its line breaks.
@safe final class TextLayout {
  private let layout: OpaquePointer?
  /// The distance from the left edge of the layout to the text; above 0 if the text aligns right.
  private let inset: Double
  let width: Double
  let height: Double

  init(owning layout: OpaquePointer?) {
    unsafe self.layout = unsafe layout
    var size = PangoRectangle()
    unsafe pango_layout_get_extents(layout, nil, &size)
    inset = Double(size.x) / Double(PANGO_SCALE)
    width = Double(size.width) / Double(PANGO_SCALE)
    height = Double(size.height) / Double(PANGO_SCALE)
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

  var lineCount: Int { unsafe Int(pango_layout_get_line_count(layout)) }

  /// The number of characters that no installed font has.
  var missingGlyphs: Int { unsafe Int(pango_layout_get_unknown_glyphs_count(layout)) }

  /// The offset of a line in the UTF-8 of the text.
  func start(ofLine number: Int) -> Int {
    let line = unsafe pango_layout_get_line_readonly(layout, Int32(number))
    return unsafe Int(line?.pointee.start_index ?? 0)
  }

  func draw(on canvas: Canvas, at point: Point, _ color: Color) {
    canvas.set(color)
    unsafe cairo_move_to(canvas.context, point.x, point.y)
    unsafe pango_cairo_show_layout(canvas.context, layout)
  }

  /// Draws a label whose text begins at the point, whichever way it is aligned.
  func drawLabel(on canvas: Canvas, at point: Point, _ color: Color) {
    draw(on: canvas, at: Point(x: point.x - inset, y: point.y), color)
  }
}
