public import Foundation

/// Apple's `UILabel`, a text, which is kept and not drawn.
///
/// Source: Apple, `UILabel`.
open class UILabel: UIView {
  private var styled: NSAttributedString?

  /// The text.
  open var text: String? {
    get { styled?.string }
    set { styled = newValue.map { NSAttributedString(string: $0) } }
  }

  /// The text with its fonts and colors.
  open var attributedText: NSAttributedString? {
    get { styled }
    set { styled = newValue }
  }

  /// The font.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var font: UIFont! = .systemFont(ofSize: 17)
  /// The color of the text.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var textColor: UIColor! = .label
  /// The side at which lines begin.
  open var textAlignment = NSTextAlignment.natural
  /// The largest number of lines; 0 for any.
  open var numberOfLines = 1
  /// Whether the font becomes smaller if the text is too long.
  open var adjustsFontSizeToFitWidth = false
}

/// Apple's `UITextView`, a text of several lines, which is kept and not drawn.
///
/// Source: Apple, `UITextView`.
open class UITextView: UIView {
  /// The text.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var text: String! = ""
  /// The font.
  open var font: UIFont?
  /// The color of the text.
  open var textColor: UIColor?
  /// The side at which lines begin.
  open var textAlignment = NSTextAlignment.natural
  /// Whether the text can be changed.
  open var isEditable = true
}

/// Apple's `UIImageView`, a picture, which is kept and not drawn.
///
/// Source: Apple, `UIImageView`.
open class UIImageView: UIView {
  /// The picture.
  open var image: UIImage?

  /// Creates a view of a picture's size.
  ///
  /// - Parameter image: The picture.
  public init(image: UIImage?) {
    self.image = image
    super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
  }

  /// Creates a view without a picture.
  ///
  /// - Parameter frame: The place in the superview.
  public override init(frame: CGRect) { super.init(frame: frame) }
}
