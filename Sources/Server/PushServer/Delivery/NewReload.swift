import PushModel

/// The `reload` of a request, checked: what WidgetKit is to reload, and on which devices.
struct NewReload: Sendable {
  /// The most devices of one request, which waits for the answers of APNs.
  static let deviceLimit = 10_000
  /// The most kinds of controls in one request, and the most characters of one.
  static let kindLimit = 20
  static let kindLength = 128

  var type: ReloadType
  /// The kinds of the controls; `nil` reloads controls of every kind.
  var kinds: [String]?
  var target: Target

  init(_ field: BodyValue) throws(RequestError) {
    type = try ReloadType(reading: try field.required("type"))
    if let kinds = field["kinds"] {
      guard type == .controls else {
        throw .refused(kinds.path, "is for controls; the widgets of a device share one token")
      }
      let elements = try kinds.elements()
      guard (1...Self.kindLimit).contains(elements.count) else {
        throw .refused(kinds.path, "must have 1 to \(Self.kindLimit) kinds")
      }
      var read: [String] = []
      for element in elements { read.append(try Self.kind(element)) }
      self.kinds = read
    }
    guard let target = try NewActivityPush.target(field, isRequired: false) else {
      throw .refused(field.path(to: "devices"), "or targets must name the devices")
    }
    self.target = target
  }

  /// Reads the kind of a control.
  static func kind(_ field: BodyValue) throws(RequestError) -> String {
    let kind = try field.string()
    guard (1...kindLength).contains(kind.unicodeScalars.count) else {
      throw .refused(field.path, "must have 1 to \(kindLength) characters")
    }
    return kind
  }
}

extension ReloadType {
  /// Reads a push type of a body.
  init(reading field: BodyValue) throws(RequestError) {
    guard let type = ReloadType(rawValue: try field.string()) else {
      throw .refused(field.path, "must be widgets or controls")
    }
    self = type
  }
}

extension ReloadToken {
  /// Reads the `tokens` of a body, which become all tokens of a type of a device.
  static func list(
    _ field: BodyValue, of type: ReloadType
  ) throws(RequestError) -> [ReloadToken] {
    var tokens: [ReloadToken] = []
    for element in try field.elements(upTo: type.tokenLimit, of: "tokens of \(type.rawValue)") {
      let token = try element.required("token")
      var read = ReloadToken(try PushToken.read(token))
      guard !tokens.contains(where: { $0.token == read.token }) else {
        throw .refused(token.path, "is in the list twice")
      }
      if let kind = element["kind"] { read.kind = try NewReload.kind(kind) }
      tokens.append(read)
    }
    return tokens
  }
}
