public import Foundation
import PushPayload

extension PushDevice {
  /// Withdraws the push token from the server, and sends nothing afterwards.
  ///
  /// Events and receipts that wait are deleted; the server keeps the device, which receives no push any more. If the server
  /// cannot be reached, call it again later: the device is stopped here all the same. ``start()`` goes on with it.
  ///
  /// - Throws: ``PushError`` if the server has not confirmed it.
  public func stop() async throws(PushError) {
    try await endRegistration { record in
      guard record.phase == .active else { return }
      record.phase = .stopped
      record.want(MemberKey.token, nil)
      record.isOpened = false
    }
    let record: DeviceRecord? = try stored()
    if let record, record.phase == .stopped, !record.difference.isEmpty {
      throw failure("the token is still at the server")
    }
    board.publish(.stopped)
  }

  /// Erases this device at the server and here.
  ///
  /// Everything stored here except the device's identifier and secret is deleted at once. If the server cannot be reached, call
  /// it again later. The server keeps only the identifier, and never stores anything under it again.
  ///
  /// - Throws: ``PushError`` if the server has not confirmed it.
  public func erase() async throws(PushError) {
    try await endRegistration { record in
      guard record.phase == .active || record.phase == .stopped else { return }
      var erasing = DeviceRecord(id: record.id, secret: record.secret)
      erasing.phase = .erasing
      erasing.isRegistered = record.isRegistered
      record = erasing
    }
    let phase = try stored()?.phase
    if phase == .erasing { throw failure("the device is still at the server") }
    // A start meanwhile has made the next device, whose state is published already.
    if phase != .active { board.publish(.erased, refused: [:]) }
  }

  /// Exports everything that this device and the server have stored about it, as JSON.
  ///
  /// The device's secret and the user token are left out.
  ///
  /// - Returns: An object with `device`, `events`, `receipts`, `marks`, `openings`, `inbox` and `server`.
  /// - Throws: ``PushError`` if the files cannot be read, or the server cannot be reached or refuses.
  public func export() async throws(PushError) -> Data {
    // Changes that cannot be written now are not stored, so the export does not contain them.
    try? memory.flush()
    var members: [String: JSONValue] = ["device": .null, "server": .null]
    do {
      for (name, facts) in [
        ("events", files.events), ("receipts", files.receipts), ("marks", files.marks),
        ("openings", files.openings),
      ] {
        let stored = try facts.read()
        guard stored.isComplete else {
          throw PushError(.storage, "the device's files cannot be read")
        }
        members[name] = .array(stored.facts.map(\.json))
      }
    } catch {
      throw PushError(.storage, "the device's files cannot be read", cause: error)
    }
    members["inbox"] = .array(files.inbox()?.messages.map(\.stored) ?? [])
    if let record = try stored() {
      members["device"] = record.exported
      if record.isRegistered { members["server"] = try await read(record) }
    }
    return JSONValue.object(members).serialized()
  }

  private func read(_ record: DeviceRecord) async throws(PushError) -> JSONValue {
    let response: PushResponse
    do {
      response = try await environment.transport.send(requests.read(record))
    } catch {
      throw PushError(.unreachable, "the server cannot be reached", cause: error)
    }
    guard response.status == 200, let json = try? JSONValue(parsing: response.body) else {
      throw PushError(.refused, "the server answered with status \(response.status)")
    }
    return json["devices"]?.array?.first ?? json["devices"] ?? json
  }

  /// Ends the registration, deletes the stored facts, and tells the server.
  private func endRegistration(_ edit: (inout DeviceRecord) -> Void) async throws(PushError) {
    end()
    memory.forgetAll()
    box.removeAll()
    guard try stored() != nil else { return }
    inboxBoard.forget()
    do {
      let isStopped = try files.change { record in
        guard let old = record else { return false }
        var changed = old
        edit(&changed)
        // A device that the server has never heard of is erased once its file is removed.
        let isUnknown = !old.isRegistered && old.doubtful.isEmpty && old.phase != .erasing
        record = changed.phase == .erasing && isUnknown ? nil : changed
        return changed.phase == .stopped
      }
      try isStopped ? files.removeFacts() : files.removeAll()
    } catch {
      throw PushError(.storage, "the device's files cannot be written", cause: error)
    }
    if try stored() != nil { await sendNow() }
  }

  private func stored() throws(PushError) -> DeviceRecord? {
    do {
      return try files.record()
    } catch let error as PushError {
      throw error
    } catch {
      throw PushError(.storage, "the device's record cannot be read", cause: error)
    }
  }

  private func failure(_ message: String) -> PushError {
    let state = board.status.state
    return switch state.kind {
    case .refused:
      PushError(
        .refused, "\(message): \(state.reason ?? "refused") (status \(state.httpStatus ?? 0))")
    case .waitingForStorage: PushError(.storage, "\(message): the files cannot be written")
    default: PushError(.unreachable, "\(message), which could not be reached")
    }
  }
}

extension DeviceRecord {
  /// The part of the record that a person may see.
  fileprivate var exported: JSONValue {
    [
      "id": .string(id), "phase": .string(phase.rawValue), "wanted": .object(wanted),
      "known": .object(known),
      "refused": .object(refused.mapValues { .string($0.reason) }),
    ]
  }
}
