import PushPayload

extension VendorExport {
  mutating func readOneSignal(_ piece: [UInt8]) throws {
    csv.feed(piece)
    while let row = csv.next() { try readOneSignal(row) }
  }

  mutating func finishOneSignal() throws {
    while let row = csv.last() { try readOneSignal(row) }
    guard header != nil else {
      throw RequestError(.invalid, "line 1: the file is empty; export the subscriptions again")
    }
  }

  private mutating func readOneSignal(_ row: CSVReader.Row) throws {
    guard let header else {
      try ImportFile.check(header: row)
      for needed in ["identifier", "device_type"] where !row.fields.contains(needed) {
        throw RequestError(
          .invalid, "line 1: the column \(needed) is missing; is it an export of OneSignal?")
      }
      header = row
      return
    }
    let place = Place(line: row.line)
    if let problem = row.problem { return reject(place, "the row \(problem)") }
    guard row.fields != [""] else { return }
    guard !row.isFiller else {
      skipped += 1
      return
    }
    guard row.fields.count == header.fields.count else {
      return reject(
        place,
        "the row has \(row.fields.count) fields, but the first line names \(header.fields.count)")
    }
    let named = Dictionary(zip(header.fields, row.fields.map(CSVCell.text))) { first, _ in first }
    let cut = row.cutFields.map { header.fields[$0] }
    if let field = cut.sorted().first(where: { $0 != "tags" }) {
      return reject(place, "the row has a field \(field) \(CSVReader.Row.cutAdvice)")
    }
    readOneSignal(named, at: place)
  }

  private mutating func readOneSignal(_ row: [String: String], at place: Place) {
    let type = row["device_type"] ?? ""
    // In OneSignal's list of types, 0 is an iOS device. The dashboard writes the name.
    guard ["0", "ios", "iospush"].contains(type.lowercased()) else {
      return reject(place, "device_type \(type.prefix(32)) is no iOS device")
    }
    switch row["invalid_identifier"].map({ $0.isEmpty ? false : CSVCell.flag($0) }) ?? false {
    case false: break
    case true:
      return reject(place, "OneSignal found its token invalid (invalid_identifier)")
    case nil:
      return reject(place, "invalid_identifier is neither t nor f, so the token may be invalid")
    }
    guard let token = row["identifier"], !token.isEmpty else {
      return reject(place, "it has no token (identifier): nobody has allowed notifications on it")
    }
    var device = ExportedDevice(token: token)
    // 0 and negative numbers are reasons why a device is not subscribed. Without the column, all are subscribed.
    let types = row["notification_types"] ?? ""
    let number = Int(types)
    device.members["push_enabled"] = .bool(types.isEmpty || number.map { $0 > 0 } ?? false)
    if !types.isEmpty, number == nil {
      device.losses.append(
        "notification_types, which is not a whole number: the device gets no pushes until push_enabled is set"
      )
    }
    if let user = row["external_user_id"], CSVCell.isRounded(user) {
      device.losses.append("external_user_id, which \(CSVCell.roundedAdvice)")
    } else {
      device.set("user_id", row["external_user_id"])
    }
    device.set("locale", row["language"])
    device.set("time_zone", row["timezone_id"])
    device.set("app_version", row["game_version"])
    device.set("os_version", row["device_os"])
    Self.readTags(row["tags"] ?? "", into: &device)
    add(device, at: place)
  }

  /// OneSignal's tags have keys and text values, so they become attributes.
  ///
  /// PHP writes an empty object of tags as an empty array.
  private static func readTags(_ tags: String, into device: inout ExportedDevice) {
    guard !tags.isEmpty else { return }
    // U+0000 is refused later, with the name of the attribute.
    let value = try? JSONValue(parsing: Array(tags.utf8), refusingRepeatedKeys: true)
    if let value, value.isNull || value.array?.isEmpty == true { return }
    guard let object = value?.object else {
      device.losses.append("tags, which must be a JSON object such as {\"plan\": \"gold\"}")
      return
    }
    let attributes = object.compactMapValues { value -> JSONValue? in
      if value.isNull { return nil }
      let text = value.string ?? String(decoding: value.serialized(), as: UTF8.self)
      return text.isEmpty ? nil : ["type": "string", "value": .string(text)]
    }
    device.members["user_attributes"] = attributes.isEmpty ? nil : .object(attributes)
  }
}
