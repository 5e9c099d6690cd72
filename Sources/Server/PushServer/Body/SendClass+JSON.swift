import PushModel

extension SendClass {
  /// The names of all classes.
  static let names = allCases.map(\.rawValue)

  /// Reads the `class` of a request.
  init(_ field: BodyValue) throws(RequestError) {
    guard let known = SendClass(rawValue: try field.string()) else {
      throw .refused(field.path, "must be one of \(Self.names.joined(separator: ", "))")
    }
    self = known
  }
}
