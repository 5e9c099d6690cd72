import PushPayload

extension VendorExport {
  /// Reads one document, or one on each line, as scripts write the pages.
  mutating func readAirship(_ piece: [UInt8]) throws {
    document += piece
    if !isOneDocument {
      var position = 0
      while let end = document[position...].firstIndex(of: UInt8(ascii: "\n")) {
        guard try readAirship(line: document[position..<end]) else {
          isOneDocument = true
          break
        }
        position = end + 1
      }
      document.removeFirst(position)
    }
    guard document.count <= documentLimit else {
      throw RequestError(
        .invalid,
        "line \(lineCount + 1) is longer than \(documentLimit) bytes; write one page of the answers a line"
      )
    }
  }

  mutating func finishAirship() throws {
    if !document.isEmpty {
      let isRead = try readAirship(line: document[...])
      guard isRead else { throw notJSON }
    }
    guard hasPages else {
      guard lineCount > 0 else {
        throw RequestError(.invalid, "the file is empty; \(Self.advice)")
      }
      throw Self.noExport
    }
  }

  /// Reads a line, or a whole document.
  ///
  /// - Returns: `false` if the first line is not JSON, so that it may be the beginning of a document.
  private mutating func readAirship(line: ArraySlice<UInt8>) throws -> Bool {
    let bytes = Array(line)
    if let fault = TextEncoding.firstFault(in: bytes) {
      let number = lineCount + JSONPosition(of: fault, in: bytes).line
      throw RequestError(
        .invalid, "line \(number) is not UTF-8; \(TextEncoding.advice(on: bytes, at: fault))")
    }
    let isBlank = line.allSatisfy { [0x20, 0x0d, 0x0a].contains($0) }
    if !isBlank {
      guard let page = try? JSONValue(parsing: bytes) else {
        guard hasPages || isOneDocument else { return false }
        throw notJSON
      }
      hasPages = true
      try readAirship(page: page, line: lineCount + 1)
    }
    lineCount += 1
    return true
  }

  private var notJSON: RequestError {
    RequestError(
      .invalid, "line \(lineCount + 1) is not JSON; write one page of the answers a line")
  }

  /// Reads a page, which begins on a line.
  private mutating func readAirship(page: JSONValue, line: Int) throws {
    guard let channels = Self.channels(of: page) else { throw Self.noExport }
    for (index, channel) in channels.enumerated() {
      // A page is often one line, so the line number would not help.
      let id = channel["channel_id"]?.string?.prefix(64).filter { "!"..."~" ~= $0 }
      let name = id.flatMap { $0.isEmpty ? nil : $0 } ?? "\(index + 1)"
      readAirship(channel, at: Place(line: line, channel: String(name)))
    }
  }

  private static let noExport = RequestError(.invalid, "the file has no \"channels\"; \(advice)")
  private static let advice = "it must be answers of Airship's GET /api/channels"

  /// The channels of a page: `{"ok": true, "channels": […]}`, or a single channel.
  private static func channels(of document: JSONValue) -> [JSONValue]? {
    if let channels = document["channels"]?.array { return channels }
    if let channel = document["channel"], channel.object != nil { return [channel] }
    return document["channel_id"] == nil ? nil : [document]
  }

  private mutating func readAirship(_ channel: JSONValue, at place: Place) {
    let type = channel["device_type"]?.string ?? ""
    guard type == "ios" else {
      return reject(place, "device_type \(type.prefix(32)) is no iOS device")
    }
    switch channel["installed"] ?? .null {
    case .null, .bool(true): break
    case .bool(false): return reject(place, "the app is not installed on it any more")
    default: return reject(place, "installed is neither true nor false, so the app may be gone")
    }
    guard let token = channel["push_address"]?.string, !token.isEmpty else {
      return reject(place, "it has no token (push_address)")
    }
    var device = ExportedDevice(token: token)
    let optIn = channel["opt_in"] ?? .null
    device.members["push_enabled"] = .bool(optIn.isNull || optIn.bool ?? false)
    if !optIn.isNull, optIn.bool == nil {
      device.losses.append(
        "opt_in, which is neither true nor false: the device gets no pushes until push_enabled is set"
      )
    }
    let tags = channel["tags"] ?? .null
    if tags.array?.isEmpty != true { device.members["tags"] = tags.isNull ? nil : tags }
    let native = channel["device_attributes"]
    func text(_ name: String, of object: JSONValue?) -> String? {
      guard let value = object?[name], !value.isNull else { return nil }
      if value.string == nil { device.losses.append("\(name), which must be a string") }
      return value.string
    }
    device.set("user_id", text("named_user_id", of: channel))
    device.set("time_zone", text("tz", of: channel["ios"]))
    device.set("app_version", text("ua_app_version", of: native))
    device.set("os_version", text("ua_device_os", of: native))
    let attributes = channel["attributes"]
    let language = text("ua_language", of: attributes) ?? text("ua_language", of: native)
    let country = text("ua_country", of: attributes) ?? text("ua_country", of: native)
    device.set("locale", language.map { $0 + (country.map { "_" + $0 } ?? "") })
    add(device, at: place)
  }
}
