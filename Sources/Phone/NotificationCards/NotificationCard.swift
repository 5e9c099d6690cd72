/// The content of a notification's picture: texts, files and button titles.
package struct NotificationCard: Codable, Sendable {
  package var appName: String
  package var icon: Icon
  /// The time as it is displayed: `now`, `9:41`, `2m ago`.
  package var time: String
  package var title: String
  package var subtitle: String
  package var body: String
  /// Whether it is shown at once, also in a Focus, and marked as time-sensitive.
  package var isTimeSensitive = false
  package var attachments: [Attachment]
  /// The titles of the buttons below the expanded notification.
  package var actions: [String]
  /// The template that a content extension shows in place of the system's expanded view; `nil` if none does.
  package var template: ExpandedTemplate?

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

  /// The card as a phone shows it whose app has no content extension.
  package var withoutTemplate: NotificationCard {
    var card = self
    card.template = nil
    return card
  }

  /// Whether a medium has no file yet.
  package var isLoading: Bool {
    attachments.contains(where: \.path.isEmpty) || template?.files.values.contains("") == true
  }

  /// The app's icon.
  package struct Icon: Codable, Sendable {
    package enum Source: Codable, Sendable { case monogram, file(String) }
    package let source: Source
    /// The first letter of the app's name on a color that its name chooses.
    package static let monogram = Icon(source: .monogram)
    /// A picture file; the monogram is drawn if the file cannot be read.
    package static func png(_ path: String) -> Icon { Icon(source: .file(path)) }
  }

  /// A way in which iOS presents a notification.
  package struct View: Codable, Hashable, Sendable {
    package enum Raw: Codable, Hashable, Sendable {
      case collapsed, banner, lockScreen, expanded, expandedInColumn, expandedWithoutTemplate,
        stacked(Int)
    }
    package let raw: Raw
    /// The notification in the list of Notification Center.
    package static let collapsed = View(raw: .collapsed)
    /// The notification on the lock screen, below the date and the clock.
    package static let lockScreen = View(raw: .lockScreen)
    /// The banner over an app that is in use.
    package static let banner = View(raw: .banner)
    /// The notification in the list, on top of `count` others of its thread; with 0 it is ``collapsed``.
    package static func stacked(on count: Int) -> View {
      View(raw: count > 0 ? .stacked(count) : .collapsed)
    }
    /// The notification after a long press: large media, the whole text, and the buttons below.
    ///
    /// The pages of a template are side by side, each as wide as a phone.
    package static let expanded = View(raw: .expanded)
    /// Like ``expanded``, but further pages of a template are small and below the first, so that the picture is as wide as
    /// a phone.
    package static let expandedInColumn = View(raw: .expandedInColumn)
    /// Like ``expanded``, on a phone whose app has no content extension.
    package static let expandedWithoutTemplate = View(raw: .expandedWithoutTemplate)
  }

  /// A media file that is shown with the notification.
  package struct Attachment: Codable, Sendable {
    package struct Kind: Codable, Hashable, Sendable {
      enum Raw: Codable { case image, video, audio }
      let raw: Raw
      package static let image = Kind(raw: .image)
      package static let video = Kind(raw: .video)
      package static let audio = Kind(raw: .audio)
    }

    /// A rectangle in a picture whose width and height are 1, from the top left.
    package struct UnitRect: Codable, Hashable, Sendable {
      package var x, y, width, height: Double
      package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
      }
    }

    /// The path of the file; one that cannot be read is drawn as an empty tile.
    package var path: String
    package var kind: Kind
    /// The path of a picture that stands for a video; `nil` for a plain tile.
    package var posterPath: String?
    /// Whether the collapsed notification shows no thumbnail.
    package var thumbnailHidden: Bool
    /// The part of the picture that the thumbnail shows; `nil` for all of it.
    package var thumbnailClippingRect: UnitRect?
    /// The label of an audio tile, and of the empty tile of a picture that cannot be read.
    package var name: String
    /// The length of a video or a sound; `nil` if it is not known.
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
