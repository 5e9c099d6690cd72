/// A push token of Live Activities on one device.
package struct ActivityToken: Hashable, Sendable {
  /// What a token is for; a device has one token for each.
  package enum Subject: Hashable, Sendable {
    /// Starting activities of a type.
    case start(type: String)
    /// Updating and ending an activity.
    case activity(String)
  }

  /// The most tokens of a device for starting activities, and the most for updating them; the
  /// oldest gives way to a new one.
  package static let limit = 20
  /// How long a token for updating is kept after it was registered last.
  ///
  /// An activity is on a phone for twelve hours at most; a token that nobody removed is of no use
  /// after that.
  package static let life = Duration.days(14)

  package var subject: Subject
  package var device: String
  /// The name of the `ActivityAttributes` type.
  package var type: String
  /// The token in lowercase hex.
  package var token: String

  package init(_ subject: Subject, device: String, type: String, token: String) {
    self.subject = subject
    self.device = device
    self.type = type
    self.token = token
  }
}

extension ActivityToken.Subject {
  /// The subject in its column.
  var text: String {
    switch self {
    case .start(let type): "start/" + type
    case .activity(let id): "activity/" + id
    }
  }

  /// Whether tokens with this subject expire.
  var expires: Bool { if case .activity = self { true } else { false } }
}
