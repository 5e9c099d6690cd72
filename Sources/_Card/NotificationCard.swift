/// What a notification shows, as text and files: all that a picture of it is made from.
package struct NotificationCard: Sendable {
  package var appName: String
  package var icon: Icon
  /// As it is to read: `now`, `9:41`, `2m ago`.
  package var time: String
  package var title: String
  package var subtitle: String
  package var body: String
  package var attachments: [Attachment]
  /// Titles of the buttons under the expanded notification.
  package var actions: [String]

  package init(
    appName: String, icon: Icon = .monogram, time: String = "now", title: String = "",
    subtitle: String = "", body: String = "", attachments: [Attachment] = [],
    actions: [String] = []
  ) {
    self.appName = appName
    self.icon = icon
    self.time = time
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.attachments = attachments
    self.actions = actions
  }

  package struct Icon: Sendable {
    enum Source: Sendable { case monogram, file(String) }
    let source: Source
    /// The first letter of the app's name on a colour that its name chooses.
    package static let monogram = Icon(source: .monogram)
    /// A picture file; one that cannot be read becomes the monogram.
    package static func png(_ path: String) -> Icon { Icon(source: .file(path)) }
  }

  /// How the notification is looked at.
  package struct View: Hashable, Sendable {
    enum Raw: Hashable { case collapsed, banner, expanded, stacked(Int) }
    let raw: Raw
    /// In the list of the lock screen.
    package static let collapsed = View(raw: .collapsed)
    /// Over an app that is in use.
    package static let banner = View(raw: .banner)
    /// In the list, on as many others of its thread as `count` says.
    package static func stacked(on count: Int) -> View {
      View(raw: count > 0 ? .stacked(count) : .collapsed)
    }
    /// Pressed long: the media large, the text whole, the actions below.
    package static let expanded = View(raw: .expanded)
  }

  package struct Attachment: Sendable {
    package struct Kind: Hashable, Sendable {
      enum Raw { case image, video, audio }
      let raw: Raw
      package static let image = Kind(raw: .image)
      package static let video = Kind(raw: .video)
      package static let audio = Kind(raw: .audio)
    }

    /// A part of a picture; the whole of it is 0, 0, 1, 1.
    package struct UnitRect: Hashable, Sendable {
      package var x, y, width, height: Double
      package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
      }
    }

    package var path: String
    package var kind: Kind
    /// A picture to show for a video.
    package var posterPath: String?
    package var thumbnailHidden: Bool
    package var thumbnailClippingRect: UnitRect?
    /// What an audio tile, and the place of a picture that cannot be read, are labelled with.
    package var name: String
    package var durationSeconds: Double?

    package init(
      path: String, kind: Kind, posterPath: String? = nil, thumbnailHidden: Bool = false,
      thumbnailClippingRect: UnitRect? = nil, name: String = "", durationSeconds: Double? = nil
    ) {
      self.path = path
      self.kind = kind
      self.posterPath = posterPath
      self.thumbnailHidden = thumbnailHidden
      self.thumbnailClippingRect = thumbnailClippingRect
      self.name = name
      self.durationSeconds = durationSeconds
    }
  }
}
