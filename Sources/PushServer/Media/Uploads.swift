import Foundation
import PushPayload
import PushStore
import _OpenSSLCrypto

/// Media that people upload: kept under names nobody guesses, and served to phones without a key.
///
/// What a file is, its bytes decide; the name and type that a browser tells are not looked at.
/// Where the store keeps the bytes for all nodes, a node's folder holds copies of those it was
/// asked for.
actor Uploads {
  /// What a file may have; more is no attachment.
  static let limit = 50 << 20
  /// That and the fields of the form around it.
  static let bodyLimit = limit + (1 << 20)
  /// Of those iOS attaches, the ones that every browser shows too, and audio.
  static let types: [MediaType] = [.jpeg, .png, .gif, .mpeg4, .mp3, .m4a, .wav, .aiff, .aifc]

  private nonisolated let folder: String
  private nonisolated let store: any PushStore
  /// Copies on their way from the store: however many phones ask, each comes once.
  private var arriving: [String: Task<Bool, any Error>] = [:]

  init(folder: String, store: any PushStore) {
    self.folder = folder
    self.store = store
  }

  /// What bytes are, where a phone attaches so many of that kind.
  ///
  /// - Throws: ``APIError`` 413 or 415.
  static func type(of bytes: ArraySlice<UInt8>) throws(APIError) -> MediaType {
    guard bytes.count <= limit else {
      throw APIError(413, "the file has more than \(limit >> 20) MiB")
    }
    guard let type = MediaType(signature: bytes), types.contains(type) else {
      throw APIError(415, "the file is no JPEG, PNG, GIF, MP4 or audio that iOS shows")
    }
    let most = type.family.maximumBytes
    guard bytes.count <= most else {
      throw APIError(
        413,
        "iOS attaches \(type.family) of up to \(most / 1_000_000) MB, not \(bytes.count) bytes")
    }
    return type
  }

  /// Keeps a file and says its name.
  ///
  /// - Throws: ``APIError`` 413, 415, or 503 where it cannot be written; ``StoreError``.
  nonisolated func keep(
    _ bytes: ArraySlice<UInt8>, app: String, at now: Timestamp
  ) async throws -> String {
    let type = try Self.type(of: bytes)
    let name = Identifiers.hex(OpenSSLCrypto.randomBytes(16)) + "." + type.preferredExtension
    let upload = Upload(name: name, app: app, createdAt: now)
    // First the store: a file that it does not know is nobody's.
    try await store.add(upload, bytes: bytes)
    if !store.keepsUploadBytes { try write(Data(bytes), as: upload) }
    return name
  }

  /// The path of an upload's file; `nil` for what was never kept, or is no longer.
  nonisolated func file(_ name: String) async throws -> String? {
    guard Upload.isName(name) else { return nil }
    let path = path(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    guard store.keepsUploadBytes else { return nil }
    return try await fetch(name) ? path : nil
  }

  /// The file behind a URL of ours, by whichever of our names; `nil` where it is none.
  nonisolated func file(url: String) async throws -> String? {
    guard let range = url.range(of: "/media/", options: .backwards) else { return nil }
    return try await file(String(url[range.upperBound...]))
  }

  private nonisolated func path(_ name: String) -> String { folder + "/" + name }

  private func fetch(_ name: String) async throws -> Bool {
    if let task = arriving[name] { return try await task.value }
    let task = Task {
      guard let upload = try await store.upload(name),
        let bytes = try await store.bytes(ofUpload: name)
      else { return false }
      try write(Data(bytes), as: upload)
      return true
    }
    arriving[name] = task
    defer { arriving[name] = nil }
    return try await task.value
  }

  /// As old as the upload is, whenever this copy was made.
  private nonisolated func write(_ data: Data, as upload: Upload) throws(APIError) {
    let path = path(upload.name)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try data.write(to: URL(filePath: path), options: .atomic)
      let date = Date(timeIntervalSince1970: Double(upload.createdAt.milliseconds) / 1000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    } catch {
      throw APIError(503, "the server cannot keep the file; see the disk of its data folder")
    }
  }

  /// Removes the files of before a moment that the store knows no upload of.
  nonisolated func sweep(before oldest: Timestamp) async throws(StoreError) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where Upload.isName(name) {
      let date = try? files.attributesOfItem(atPath: path(name))[.modificationDate] as? Date
      guard let date, date.timeIntervalSince1970 * 1000 < Double(oldest.milliseconds),
        try await store.upload(name) == nil
      else { continue }
      try? files.removeItem(atPath: path(name))
    }
  }
}

extension Uploads {
  /// Whether a page at this path takes uploads.
  static func isPath(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[1] == "apps" && parts[3] == "compose"
  }
}
