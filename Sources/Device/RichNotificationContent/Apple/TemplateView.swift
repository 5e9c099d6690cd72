#if os(iOS) || os(visionOS)
  import NotificationTemplates
  import UIKit

  /// The view of an expanded notification: a view for each part of a layout.
  ///
  /// It decides nothing. A tap goes to the part that the layout has at its place, and a swipe to the next or previous page.
  final class TemplateView: UIView {
    /// Called with the effect of each tap.
    var onTap: (TemplateElement.Tap) -> Void = { _ in }
    /// Called when the width or a setting of the person has changed.
    var onChange: () -> Void = {}
    /// The view of the movie, which the layout places.
    var playerView: UIView?

    /// The content and appearance that a view was created for.
    private struct Part: Hashable {
      var content: TemplateElement.Content
      var isDark: Bool
    }

    private var layout: TemplateLayout?
    private var width: CGFloat = 0
    /// The views of the present layout; the next layout reuses them, so that a tick does not restart a moving picture.
    private var parts: [Part: [UIView]] = [:]
    private let pictures = PictureFiles()
    private var spoken: [TemplateAccessibilityElement] = []

    override init(frame: CGRect) {
      super.init(frame: frame)
      clipsToBounds = true
      addGestureRecognizer(
        UITapGestureRecognizer(target: self, action: #selector(tapped(_:))))
      for direction in [UISwipeGestureRecognizer.Direction.left, .right] {
        let swipe = UISwipeGestureRecognizer(target: self, action: #selector(swiped(_:)))
        swipe.direction = direction
        addGestureRecognizer(swipe)
      }
    }

    required init?(coder: NSCoder) { nil }

    /// Shows a layout.
    ///
    /// - Parameters:
    ///   - layout: The layout.
    ///   - files: The files of its media.
    ///   - slidesForward: Whether the new page comes from the trailing side; `nil` if nothing slides.
    func show(_ layout: TemplateLayout, files: [String: URL], slidesForward: Bool?) {
      self.layout = layout
      pictures.keep(only: Set(layout.elements.flatMap(\.mediaIDs)))
      var old = parts
      parts = [:]
      for element in layout.elements {
        let part = Part(content: element.content, isDark: isDark)
        let view = old[part]?.popLast() ?? content(of: element.content, files: files)
        view.frame = CGRect(element.frame)
        view.isAccessibilityElement = false
        parts[part, default: []].append(view)
        addSubview(view)
      }
      for views in old.values { views.forEach { $0.removeFromSuperview() } }
      readOut(layout.readingOrder)
      if let slidesForward { slide(forward: slidesForward) }
    }

    /// The place of the system's play button, in this view.
    var playerFrame: CGRect {
      layout?.elements.first { if case .player = $0.content { true } else { false } }
        .map { CGRect($0.frame) } ?? .zero
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      guard bounds.width != width else { return }
      width = bounds.width
      onChange()
    }

    #if !os(visionOS)
      override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        onChange()
      }
    #endif

    /// Updates the elements for VoiceOver; the objects stay if their number stays, so that VoiceOver keeps its place.
    private func readOut(_ elements: [TemplateElement]) {
      if spoken.count != elements.count {
        spoken = elements.map { _ in
          TemplateAccessibilityElement(in: self) { [weak self] tap in self?.onTap(tap) }
        }
        accessibilityElements = spoken
      }
      for (object, element) in zip(spoken, elements) { object.update(element) }
    }

    private func slide(forward: Bool) {
      let isToTheLeft = forward == (effectiveUserInterfaceLayoutDirection == .leftToRight)
      let transition = CATransition()
      transition.type = .push
      transition.subtype = isToTheLeft ? .fromRight : .fromLeft
      transition.duration = 0.3
      layer.add(transition, forKey: kCATransition)
    }

    @objc private func tapped(_ recognizer: UITapGestureRecognizer) {
      let point = recognizer.location(in: self)
      if let tap = layout?.tap(atX: Double(point.x), y: Double(point.y)) { onTap(tap) }
    }

    @objc private func swiped(_ recognizer: UISwipeGestureRecognizer) {
      let isForward =
        (recognizer.direction == .left)
        == (effectiveUserInterfaceLayoutDirection == .leftToRight)
      onTap(isForward ? .next : .previous)
    }
  }

  extension TemplateView {
    fileprivate func content(of content: TemplateElement.Content, files: [String: URL]) -> UIView {
      switch content {
      case .fill(let color):
        let view = UIView()
        view.backgroundColor = UIColor(color)
        return view
      case .veil:
        let view = UIView()
        view.backgroundColor = UIColor(white: 0, alpha: TemplateElement.veilOpacity)
        return view
      case .picture(let media):
        return pictures.view(of: media, file: files[media.id], isDark: isDark)
      case .text(let label): return UILabel(label)
      case .button(let label, let fill):
        let view = UILabel(label)
        view.backgroundColor = UIColor(fill)
        view.layer.cornerRadius = 10
        view.clipsToBounds = true
        return view
      case .box(let box): return BoxView(box, isDark: isDark)
      case .indicator(let count, let page, let color):
        let view = UIPageControl()
        view.numberOfPages = count
        view.currentPage = page
        view.currentPageIndicatorTintColor = UIColor(color)
        view.pageIndicatorTintColor = UIColor(color).withAlphaComponent(0.3)
        view.isUserInteractionEnabled = false
        return view
      case .star(let isChosen, let icon, let color):
        if let icon, let file = files[icon.id] {
          return pictures.view(of: icon, file: file, isDark: isDark)
        }
        let view = UIImageView(image: UIImage(systemName: isChosen ? "star.fill" : "star"))
        view.tintColor = UIColor(color)
        view.contentMode = .scaleAspectFit
        return view
      case .player(_, let poster):
        if let playerView { return playerView }
        return poster.map { pictures.view(of: $0, file: files[$0.id], isDark: isDark) } ?? UIView()
      // The layout has a web page only if web pages are switched on, which this view never does.
      case .webPage: return UIView()
      }
    }

    fileprivate var isDark: Bool { traitCollection.userInterfaceStyle == .dark }
  }

  extension TemplateElement {
    /// The media of the element.
    fileprivate var mediaIDs: [String] {
      switch content {
      case .picture(let media): [media.id]
      case .star(_, let icon, _): icon.map { [$0.id] } ?? []
      case .player(let media, let poster): [media.id] + (poster.map { [$0.id] } ?? [])
      default: []
      }
    }
  }

  extension CGRect {
    init(_ frame: TemplateRect) {
      self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }
  }

  extension UILabel {
    convenience init(_ label: TemplateLabel) {
      self.init(frame: .zero)
      attributedText = NSAttributedString(
        label.text, font: UIFont(label.font), color: UIColor(label.color))
      numberOfLines = label.lines ?? 0
      lineBreakMode = .byTruncatingTail
      textAlignment = label.isCentered ? .center : .natural
    }
  }
#endif
