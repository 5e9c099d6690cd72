import PushModel
import PushPayload

/// Checks and imports the uploaded files, one at a time on each node.
///
/// A node holds the import that it works on. If the node dies, another one takes the import after the hold has ended.
/// It reads the file again, and stores only the lines behind the last one that is stored.
struct ImportRunner: Sendable {
  let store: any PushStore
  let audiences: Audiences
  let clock: ServerClock

  /// The time for which a node holds an import after each part that it has read.
  static let hold = Duration.seconds(60)

  /// The import was stopped or removed, or another node works on it.
  private struct Interrupted: Error {}

  /// Works on the imports that wait, until the task is cancelled.
  ///
  /// `log` is called with each failure of the store; the import then still waits.
  func run(
    every pause: Duration = .seconds(1), log: @escaping @Sendable (String) -> Void = { _ in }
  ) async {
    while (try? await clock.sleep(pause)) != nil {
      do {
        while try await work() {}
      } catch is CancellationError {
        return
      } catch let error as StoreError where error.isTransient {
        // Other users of the store report that it is out of reach.
      } catch {
        log("an import failed and is tried again: \(error)")
      }
    }
  }

  /// Works on an import that waits: the one with the id, or any one.
  ///
  /// - Returns: `false` if none waits.
  @discardableResult
  func work(on id: String? = nil) async throws -> Bool {
    guard let taken = try await store.takeImport(id, at: clock.now(), for: Self.hold) else {
      return false
    }
    var file = taken
    do {
      guard file.attempts <= FileImport.attemptLimit else {
        throw RequestError(
          .fault,
          "\(FileImport.attemptLimit) servers stopped while they read the file; what they had read"
            + " before is imported. Divide the file, and import its parts")
      }
      let report = try await report(of: &file)
      file.report = report.stored
      file.progress = file.size
      file.state = file.state == .checking ? .checked : .imported
    } catch let error as RequestError {
      (file.state, file.problem) = (.failed, error.message)
    } catch let error as StoreError where error.code == .notFound {
      // The import was stopped or removed, or another node has stored further lines.
      return true
    } catch let error as StoreError where !error.isTransient {
      (file.state, file.problem) = (.failed, error.message)
    } catch is Interrupted {
      return true
    } catch {
      // It waits again at once, and the attempt does not count: the file is not the reason.
      file.attempts -= 1
      _ = try? await store.update(file, holdingFor: .zero, at: clock.now())
      throw error
    }
    file.changedAt = clock.now()
    // A notice that is doubled by a failure does no harm, and one that is lost does.
    if file.state == .imported { try await announce(file) }
    _ = try await store.update(file, holdingFor: nil, at: clock.now())
    return true
  }

  /// Has the webhooks called and the devices seen after an import.
  private func announce(_ file: FileImport) async throws {
    _ = try await store.enqueue(
      WebhookNotice(
        app: file.app, event: "devices.import", data: ["id": .string(file.app)], at: clock.now()))
    try await store.lookSoon(app: file.app, at: clock.now())
    // Otherwise the first count would wait until the last rows are indexed.
    try? await audiences.prepare(app: file.app)
  }

  private func report(of file: inout FileImport) async throws -> DeviceImport.Report {
    guard let settings = ImportSettings(json: file.settings) else {
      throw RequestError(
        .damaged, "the settings of the import are not understood; upload the file again")
    }
    var devices = DeviceImport(store: store, app: file.app, now: clock.now())
    devices.columns = settings.mapping
    devices.isTrial = file.state == .checking
    if !devices.isTrial { devices.file = file }
    var (part, bytes) = (0, [UInt8]()[...])
    var current = file
    defer { file = current }
    func nextPiece() async throws -> [UInt8]? {
      if bytes.isEmpty {
        guard part < current.parts else { return nil }
        if part > 0 {
          guard
            let held = try await store.update(current, holdingFor: Self.hold, at: clock.now())
          else { throw Interrupted() }
          current = held
        }
        try Task.checkCancellation()
        guard let stored = try await store.part(part, ofImport: current.id, app: current.app) else {
          throw Interrupted()
        }
        bytes = stored[...]
        part += 1
      }
      let piece = bytes.prefix(DeviceImport.pieceSize)
      bytes = bytes.dropFirst(DeviceImport.pieceSize)
      current.progress += piece.count
      return Array(piece)
    }
    switch settings.form {
    case .csv: return try await devices.run(as: .csv, nextPiece)
    case .lines: return try await devices.run(as: .lines, nextPiece)
    case .oneSignal: return try await devices.run(from: .oneSignal, nextPiece)
    case .airship: return try await devices.run(from: .airship, nextPiece)
    }
  }
}

extension DeviceImport.Report {
  /// The form in which the store has a report.
  var stored: JSONValue {
    var members = json.object ?? [:]
    members["known"] = .integer(Int64(known))
    return .object(members)
  }

  /// Reads the stored form; `nil` if a count is missing.
  init?(stored: JSONValue) {
    func count(_ name: String) -> Int? { stored[name]?.integer.flatMap { Int(exactly: $0) } }
    guard let accepted = count("accepted"), let losses = count("accepted_with_losses"),
      let rejected = count("rejected"), let skipped = count("skipped"),
      let left = count("left_without_token"), let known = count("known"),
      let lines = stored["lines"]?.array
    else { return nil }
    self.init()
    (self.accepted, acceptedWithLosses, self.rejected) = (accepted, losses, rejected)
    (self.skipped, leftWithoutToken, self.known) = (skipped, left, known)
    for line in lines {
      guard let number = line["line"]?.integer.flatMap({ Int(exactly: $0) }),
        let error = line["error"]?.string
      else { return nil }
      list((number, error))
    }
  }
}
