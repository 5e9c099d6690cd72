/// A push token of Live Activities on one device.
package struct ActivityToken: Hashable, Sendable {
  /// The purpose of a token; a device has one token for each subject.
  package enum Subject: Hashable, Sendable {
    /// Starting activities of a type.
    case start(type: String)
    /// Updating and ending an activity.
    case activity(String)
  }

  /// The most tokens of a device for starting activities, and the most for updating them; a new token replaces the
  /// oldest.
  package static let limit = 20
  /// The time for which a token for updating is kept after its last registration.
  ///
  /// An activity is on a phone for twelve hours at most. After that, a token that nobody removed is useless.
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
  /// The subject as it is stored.
  package var text: String {
    switch self {
    case .start(let type): "start/" + type
    case .activity(let id): "activity/" + id
    }
  }

  /// Whether tokens with this subject expire.
  package var expires: Bool { if case .activity = self { true } else { false } }
}
