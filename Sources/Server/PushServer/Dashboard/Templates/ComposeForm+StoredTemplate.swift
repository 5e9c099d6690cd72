import PushModel
import PushPayload

/// The composer as the editor of an app's templates.
extension ComposeForm {
  /// The fields with the name of a template, and with the version that an edit began with: 0 if the
  /// template is new.
  static let storedNameField = "stored_name"
  static let storedVersionField = "stored_version"

  /// The version that is edited, or 0 if the template is new; `nil` if a message is composed.
  var editedVersion: Int? { form[Self.storedVersionField].flatMap { Int($0) } }

  var storedName: String { form[Self.storedNameField] ?? "" }

  /// A message that begins with a template.
  init(_ template: StoredTemplate) {
    self.init()
    fill(fromPayload: template.payload.object ?? [:])
  }

  /// Makes the form edit a template; all devices stand for the audience, because a template has no audience.
  mutating func edit(_ name: String, version: Int) {
    self[.to] = "*"
    self[.kind] = Kind.push.rawValue
    set(Self.storedNameField, name)
    set(Self.storedVersionField, String(version))
  }
}
