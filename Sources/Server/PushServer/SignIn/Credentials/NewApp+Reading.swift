import PushModel

extension NewApp {
  /// Reads the body of a new app; ``check()`` checks the values.
  init(_ field: BodyValue) throws(RequestError) {
    self.init(
      bundleID: try field.required("bundle_id").string(),
      teamID: try field.required("team_id").string(),
      keyID: try field.required("key_id").string(),
      privateKey: try field.required("private_key").string(), name: try field["name"]?.string())
    identity =
      try field["identity"].map { field throws(RequestError) in
        try App.Identity(field)
      } ?? .required
  }
}

extension App.Identity {
  /// Reads `required`, `report` or `off`.
  init(_ field: BodyValue) throws(RequestError) {
    guard let identity = Self(rawValue: try field.string()) else {
      let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw .refused(field.path, "must be one of \(words)")
    }
    self = identity
  }
}
