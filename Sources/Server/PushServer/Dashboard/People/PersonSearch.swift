import PushModel
import PushPayload

/// A search for people by everything that names one: IDs, email, name, and the beginning of a push token.
///
/// Each attempt reads an index of the store or of audiences and has a limit, so that a search costs the same with ten
/// devices and with a million.
struct PersonSearch {
  /// One way to find devices, with the number that it found.
  struct Attempt {
    var name: String
    var found: Int
  }

  /// The most devices that an attempt finds.
  static let limit = 20
  /// The fewest characters of the beginning of a user ID.
  static let shortestPrefix = 3
  /// The most attributes with emails, and with names, that are searched.
  private static let attributeLimit = 6

  let text: String
  private(set) var attempts: [Attempt] = []
  /// The ways that the text is not fit for, each with the reason.
  private(set) var untried: [String] = []
  private(set) var devices: [Device] = []
  /// Whether an attempt found as many devices as it may.
  private(set) var isCut = false

  init(_ text: String, in request: PageRequest) async throws {
    self.text = text
    let (store, app) = (request.router.store, request.app.id)
    let named = DeviceID.isValid(text) ? try await store.device(text, app: app) : nil
    add([named].compactMap(\.self), by: "device ID")
    add(try await store.devices(ofUser: text, app: app, limit: Self.limit), by: "user ID")
    let attributes = try await request.router.audiences.attributes(app: app)
    func fields(_ word: String) -> [Filter.Field] {
      attributes.filter { field in
        guard case .attribute(.string, let name) = field else { return false }
        return name.lowercased().contains(word)
      }
      .prefix(Self.attributeLimit).map(\.self)
    }
    let emails: [Filter.Field] = [.builtIn(.userEmail)] + fields("mail")
    try await add(passing: emails.map { [Self.filter($0, text)] }, by: Self.names(emails), request)
    let names = fields("name")
    if names.isEmpty {
      untried.append("name, because no device has an attribute whose name contains “name”")
    } else {
      let lists = Self.filters(names, text)
      try await add(passing: lists, by: Self.names(names), request)
    }
    if text.count >= Self.shortestPrefix {
      add(
        try await store.devices(app: app, userPrefix: text, limit: Self.limit),
        by: "beginning of a user ID")
    } else {
      untried.append("beginning of a user ID, which needs \(Self.shortestPrefix) characters")
    }
    if let prefix = PushToken.prefix(text) {
      add(
        try await store.devices(app: app, tokenPrefix: prefix, limit: Self.limit),
        by: "beginning of a push token")
    } else {
      untried.append("push token, which needs its first 8 hex digits")
    }
  }

  private mutating func add(_ found: [Device], by name: String) {
    attempts.append(Attempt(name: name, found: found.count))
    isCut = isCut || found.count >= Self.limit
    let known = Set(devices.map(\.number))
    devices += found.filter { !known.contains($0.number) }
  }

  /// Finds the devices that pass all filters of one of the lists.
  private mutating func add(
    passing lists: [[Filter]], by name: String, _ request: PageRequest
  ) async throws {
    var audience = Audience(id: "", app: request.app.id, filters: [], createdAt: request.now)
    audience.any = lists.map { .filters($0) }
    let members = try await request.router.audiences.members(of: audience, at: request.now)
    let first = DeviceNumbers(Array(members.lazy.prefix(Self.limit)))
    add(try await request.router.store.devices(app: request.app.id, numbers: first), by: name)
  }

  /// A filter for a text as it is written, in lowercase, and with capitals: indexes compare whole texts.
  private static func filter(_ field: Filter.Field, _ text: String) -> Filter {
    let forms = Set([text, text.lowercased(), text.lowercased().capitalizedWords])
    return Filter(field: field, criteria: forms.sorted().map { .equals(.string($0)) })
  }

  /// The filters for a name: the whole text in one field, or its two words in two fields.
  private static func filters(_ fields: [Filter.Field], _ text: String) -> [[Filter]] {
    let whole = fields.map { [filter($0, text)] }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2 else { return whole }
    return whole
      + fields.flatMap { first in
        fields.filter { $0 != first }.map { [filter(first, words[0]), filter($0, words[1])] }
      }
  }

  private static func names(_ fields: [Filter.Field]) -> String {
    fields.map { field in
      switch field {
      case .builtIn(.userEmail): "email"
      case .attribute(_, let name): "attribute \(name)"
      case .builtIn, .event: field.apiName
      }
    }
    .joined(separator: ", ")
  }
}

extension String {
  /// The text with a capital letter at the beginning of each word.
  fileprivate var capitalizedWords: String {
    split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
