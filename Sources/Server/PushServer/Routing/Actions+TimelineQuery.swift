/// The parameters of an address that name a question for a timeline, which the API and the dashboard read alike.
extension Actions.TimelineSubject {
  /// The name of the parameter, and the id that it has.
  var parameter: (name: String, value: String) {
    switch self {
    case .notification(let id): ("notification", id)
    case .run(let id): ("run", id)
    case .campaign(let id): ("campaign", id)
    }
  }

  /// Reads the one parameter that names the subject.
  ///
  /// - Throws: ``RequestError`` `.invalid` if none names it, or several do.
  init(in call: some RequestValues) throws(RequestError) {
    self = try call.one(
      of: [("notification", Self.notification), ("run", Self.run), ("campaign", Self.campaign)])
  }
}

extension Actions.TimelineRecipient {
  /// The name of the parameter, and the id that it has.
  var parameter: (name: String, value: String) {
    switch self {
    case .device(let id): ("device", id)
    case .user(let id): ("user", id)
    }
  }

  private static let parameters: [(name: String, make: @Sendable (String) -> Self)] = [
    ("device", Self.device), ("user", Self.user),
  ]

  /// Whether any parameter names a recipient.
  static func isNamed(in call: some RequestValues) -> Bool {
    parameters.contains { call.query($0.name) != nil }
  }

  /// Reads the one parameter that names the recipient.
  ///
  /// - Throws: ``RequestError`` `.invalid` if none names it, or several do.
  init(in call: some RequestValues) throws(RequestError) {
    self = try call.one(of: Self.parameters)
  }
}

extension RequestValues {
  /// Returns the one given value of several parameters.
  fileprivate func one<Value>(
    of parameters: [(name: String, make: @Sendable (String) -> Value)]
  ) throws(RequestError) -> Value {
    let given = parameters.compactMap { parameter in query(parameter.name).map(parameter.make) }
    guard given.count == 1 else {
      let names = parameters.map(\.name).joined(separator: ", ")
      throw RequestError(.invalid, "the query must have one of \(names)")
    }
    return given[0]
  }
}
