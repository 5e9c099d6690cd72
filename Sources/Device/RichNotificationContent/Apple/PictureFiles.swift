#if os(iOS) || os(visionOS)
  import Foundation
  import ImageIO
  import NotificationTemplates
  import UIKit

  /// The pictures that a view shows, decoded once each.
  ///
  /// The service extension has scaled the files to the size of the screen. Only the pictures of the present layout stay in
  /// memory, which are at most a page and its neighbors.
  @MainActor
  final class PictureFiles {
    private var pictures: [String: UIImage] = [:]

    /// Forgets the pictures that are not shown.
    func keep(only ids: Set<String>) {
      pictures = pictures.filter { ids.contains($0.key) }
    }

    /// Returns a view of a picture; it is empty if the file is missing or cannot be decoded.
    func view(of media: TemplateMedia, file: URL?, isDark: Bool) -> UIImageView {
      let view = UIImageView(image: file.flatMap { picture(media, $0) })
      view.contentMode = media.fit == .fill ? .scaleAspectFill : .scaleAspectFit
      view.clipsToBounds = true
      view.layer.cornerRadius = CGFloat(media.corner)
      if media.border.width > 0, let color = media.border.colors[isDark] {
        view.layer.borderWidth = CGFloat(media.border.width)
        view.layer.borderColor = UIColor(color).cgColor
      }
      if media.kind == .gif, let file, !UIAccessibility.isReduceMotionEnabled {
        animate(view, file)
      }
      return view
    }

    private func picture(_ media: TemplateMedia, _ file: URL) -> UIImage? {
      if let picture = pictures[media.id] { return picture }
      let picture = Self.content(of: file).flatMap { UIImage(data: $0) }
      pictures[media.id] = picture
      return picture
    }

    /// The bytes of a file, which an extension may read only while it has access to it.
    private static func content(of file: URL) -> Data? {
      let isOpen = file.startAccessingSecurityScopedResource()
      defer { if isOpen { file.stopAccessingSecurityScopedResource() } }
      return try? Data(contentsOf: file)
    }

    /// Shows the frames of a GIF one after the other, with one frame in memory at a time.
    private func animate(_ view: UIImageView, _ file: URL) {
      guard let content = Self.content(of: file) else { return }
      _ = CGAnimateImageDataWithBlock(content as CFData, nil) { [weak view] _, frame, stop in
        // It ends with the view.
        guard let view else {
          stop.pointee = true
          return
        }
        view.image = UIImage(cgImage: frame)
      }
    }
  }

  /// The box around a countdown.
  final class BoxView: UIView {
    private let gradient = CAGradientLayer()

    init(_ box: TemplateBox, isDark: Bool) {
      super.init(frame: .zero)
      clipsToBounds = true
      layer.cornerRadius = CGFloat(box.corner)
      if let color = box.background[isDark] { backgroundColor = UIColor(color) }
      if box.border.width > 0, let color = box.border.colors[isDark] {
        layer.borderWidth = CGFloat(box.border.width)
        layer.borderColor = UIColor(color).cgColor
      }
      guard let colors = box.gradient else { return }
      gradient.colors = [UIColor(colors.from).cgColor, UIColor(colors.to).cgColor]
      if colors.isRadial {
        gradient.type = .radial
        gradient.startPoint = CGPoint(x: 0.5, y: 0.5)
        gradient.endPoint = CGPoint(x: 1, y: 1)
      } else {
        let angle = CGFloat(colors.degrees) * .pi / 180
        let (x, y) = (cos(angle) / 2, sin(angle) / 2)
        gradient.startPoint = CGPoint(x: 0.5 - x, y: 0.5 + y)
        gradient.endPoint = CGPoint(x: 0.5 + x, y: 0.5 - y)
      }
      layer.addSublayer(gradient)
    }

    required init?(coder: NSCoder) { nil }

    override func layoutSubviews() {
      super.layoutSubviews()
      gradient.frame = bounds
    }
  }
#endif
