import PushModel

extension StoredTemplate {
  /// Whether a text may be the name of a template, which stands in paths and before the `@` of a version.
  static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\-]{0,63}/) != nil
  }

  static let wrongName = RequestError(
    .invalid,
    "the name of a template must be 1 to 64 of A-Z, a-z, 0-9, ., _ and -, and begin with a letter"
      + " or digit")

  /// The version as campaigns name it: `welcome@3`.
  var reference: String { "\(name)@\(version)" }
}
