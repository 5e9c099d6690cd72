#if os(iOS) || os(visionOS)
  import NotificationTemplates
  import UIKit

  /// The measurer of templates in the system's fonts.
  struct UIKitTextMeasurer: TemplateTextMeasurer {
    func size(
      of text: String, font: TemplateFont, width: Double, lines: Int?
    ) -> TemplateSize {
      size(of: TemplateText(text), font: font, width: width, lines: lines)
    }

    func size(
      of text: TemplateText, font: TemplateFont, width: Double, lines: Int?
    ) -> TemplateSize {
      let font = UIFont(font)
      let box = NSAttributedString(text, font: font, color: .black).boundingRect(
        with: CGSize(width: width, height: .greatestFiniteMagnitude),
        options: [.usesLineFragmentOrigin, .usesFontLeading], context: nil)
      var height = box.height
      if let lines { height = min(height, font.lineHeight * CGFloat(lines) + font.leading) }
      return TemplateSize(
        width: min(Double(box.width.rounded(.up)), width), height: Double(height.rounded(.up)))
    }
  }

  extension UIFont {
    /// The system's font of a size that ``TemplateTextSize`` has decided.
    convenience init(_ font: TemplateFont) {
      let weight: UIFont.Weight =
        switch font.weight {
        case .regular: .regular
        case .semibold: .semibold
        case .bold: .bold
        }
      let size = CGFloat(font.size)
      let system =
        font.hasEvenDigits
        ? UIFont.monospacedDigitSystemFont(ofSize: size, weight: weight)
        : UIFont.systemFont(ofSize: size, weight: weight)
      self.init(descriptor: system.fontDescriptor, size: size)
    }
  }

  extension NSAttributedString {
    /// A text with its marks.
    convenience init(_ text: TemplateText, font: UIFont, color: UIColor) {
      let string = NSMutableAttributedString(
        string: text.string, attributes: [.font: font, .foregroundColor: color])
      for mark in text.marks where mark.range.upperBound <= string.length {
        let range = NSRange(location: mark.range.lowerBound, length: mark.range.count)
        switch mark.style {
        case .underline:
          string.addAttribute(
            .underlineStyle, value: NSUnderlineStyle.single.rawValue, range: range)
        case .strikethrough:
          string.addAttribute(
            .strikethroughStyle, value: NSUnderlineStyle.single.rawValue, range: range)
        case .bold: string.add(.traitBold, in: range)
        case .italic: string.add(.traitItalic, in: range)
        }
      }
      self.init(attributedString: string)
    }
  }

  extension NSMutableAttributedString {
    /// Adds a trait to the fonts of a part, which may have others already.
    fileprivate func add(_ trait: UIFontDescriptor.SymbolicTraits, in range: NSRange) {
      var fonts: [(UIFont, NSRange)] = []
      enumerateAttribute(.font, in: range, options: []) { value, part, _ in
        if let font = value as? UIFont { fonts.append((font, part)) }
      }
      for (font, part) in fonts {
        let traits = font.fontDescriptor.symbolicTraits.union(trait)
        guard let descriptor = font.fontDescriptor.withSymbolicTraits(traits) else { continue }
        addAttribute(
          .font, value: UIFont(descriptor: descriptor, size: font.pointSize), range: part)
      }
    }
  }

  extension UIColor {
    convenience init(_ color: TemplateColor) {
      self.init(
        red: CGFloat(color.red) / 255, green: CGFloat(color.green) / 255,
        blue: CGFloat(color.blue) / 255, alpha: CGFloat(color.alpha) / 255)
    }
  }
#endif
