import PushModel
import PushPayload

/// Imports of devices from files that people upload.
extension Actions {
  var importRunner: ImportRunner {
    ImportRunner(store: store, audiences: audiences, clock: clock)
  }

  /// Stores a file that arrives piece by piece, until `nextPiece` returns `nil`, and checks it if its form is clear.
  ///
  /// A file of one part is checked before this returns. A larger one is checked by a node that is free.
  ///
  /// - Throws: ``RequestError`` `.forbidden`, `.tooLarge`, or `.invalid` if the file is empty, ``StoreError``, and the
  ///   errors of `nextPiece`. The file is then not kept.
  func receiveImport(
    named name: String, by actor: Actor, _ nextPiece: () async throws -> [UInt8]?
  ) async throws -> FileImport {
    try actor.require(.manage, to: "import devices")
    var file = FileImport(
      id: Identifiers.makeObjectID(), app: try actor.ownApp(),
      fileName: String(
        String.UnicodeScalarView(
          name.unicodeScalars.filter { $0.value >= 0x20 }.prefix(DevicePatchReader.textLimit))),
      createdAt: clock.now())
    file.uploadedBy = actor.name
    try await store.add(file)
    do {
      var start: [UInt8] = []
      var rest: [UInt8] = []
      while let piece = try await nextPiece() {
        rest += piece
        guard file.size + rest.count <= FileImport.sizeLimit else {
          throw RequestError(
            .tooLarge,
            "the file has more than \(FileImport.sizeLimit >> 20) MiB; divide it, and import its parts"
          )
        }
        while rest.count >= FileImport.partSize {
          try await append(Array(rest.prefix(FileImport.partSize)), to: &file, &start)
          rest.removeFirst(FileImport.partSize)
        }
      }
      if !rest.isEmpty { try await append(rest, to: &file, &start) }
      guard file.size > 0 else {
        throw RequestError(.invalid, "the file is empty; choose one with a line for each device")
      }
      file.state = .uploaded
      let settings = ImportSettings(suggestedFor: start)
      file.settings = settings.json
      if settings.problem == nil { _ = file.on(.check(settings.json), at: clock.now()) }
      return try await store(file)
    } catch {
      _ = try? await store.removeFile(ofImport: file.id, app: file.app)
      throw error
    }
  }

  private func append(
    _ part: [UInt8], to file: inout FileImport, _ start: inout [UInt8]
  ) async throws {
    try await store.append(part, as: file.parts, toImport: file.id, app: file.app)
    if file.parts == 0 { start = Array(part.prefix(ImportSample.length)) }
    file.parts += 1
    file.size += part.count
  }

  /// Checks, starts or stops an import.
  ///
  /// - Throws: ``RequestError`` `.forbidden`, `.notFound`, or `.conflict` if the state does not allow it or has changed.
  func order(
    _ order: FileImport.Order, import id: String, by actor: Actor
  ) async throws -> FileImport {
    try actor.require(.manage, to: "import devices")
    var file = try await fileImport(id, app: actor.ownApp())
    guard file.on(order, at: clock.now()) else {
      throw RequestError(
        .conflict, "the import is in another state by now; reload the page, and look at it again")
    }
    if case .start = order {
      // Webhooks are called when the devices are imported.
      let entry = entry(of: actor, "devices.import", id, app: file.app)
      return try await store(file, in: store.recording(ChangeRecord(entry)))
    }
    return try await store(file)
  }

  /// Removes the file of an import; its counts stay.
  func removeImportFile(_ id: String, by actor: Actor) async throws {
    try actor.require(.manage, to: "import devices")
    guard try await store.removeFile(ofImport: id, app: actor.ownApp()) else {
      throw RequestError(
        .conflict, "the file of a running import cannot be removed; stop the import first")
    }
  }

  /// An import of an app.
  func fileImport(_ id: String, app: String) async throws -> FileImport {
    guard let file = try await store.fileImport(id, app: app) else {
      throw RequestError.notFound("import with this id")
    }
    return file
  }

  /// Stores a change, and works on a file of one part at once, so that its page has the result.
  private func store(
    _ file: FileImport, in recording: (any PushStore)? = nil
  ) async throws -> FileImport {
    guard
      let stored = try await (recording ?? store).update(
        file, holdingFor: nil, at: clock.now())
    else {
      throw RequestError(
        .conflict, "somebody else has changed the import meanwhile; reload the page")
    }
    guard stored.isRunning, stored.parts <= 1 else { return stored }
    try await importRunner.work(on: stored.id)
    return try await fileImport(stored.id, app: stored.app)
  }
}

extension Actor {
  /// The name of the person or the key, or the id of a key without a name.
  fileprivate var name: String {
    switch identity {
    case .key(let key): key.name ?? "the key \(key.id)"
    case .person(let person): person.name
    }
  }
}
