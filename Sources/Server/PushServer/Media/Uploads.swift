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
  /// The maximum size of a file in bytes: that of the largest attachment of iOS.
  static let limit = 50 << 20
  /// The maximum size of a request with a file, in bytes.
  static let bodyLimit = limit + (1 << 20)
  /// The most bytes of an app's uploads together, where nothing else is configured: 10 GiB.
  static let defaultQuota = 10 << 30
  /// The types that are accepted: those of iOS's attachments that every browser shows, and audio.
  static let types: [MediaType] = [.jpeg, .png, .gif, .mpeg4, .mp3, .m4a, .wav, .aiff, .aifc]

  private nonisolated let folder: String
  private nonisolated let store: any PushStore
  /// The most bytes that the uploads of one app may have together.
  private nonisolated let quota: Int
  /// The copies that are being fetched from the store, so that each is fetched once.
  private var arriving: [String: Task<Bool, any Error>] = [:]

  init(folder: String, store: any PushStore, quota: Int = defaultQuota) {
    self.folder = folder
    self.store = store
    self.quota = quota
  }

  /// The type of a file, by its bytes.
  ///
  /// - Throws: ``APIError`` 413 where iOS attaches no file of that size, 415 for another type.
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

  /// Stores a file under a new name.
  ///
  /// - Returns: The name, 32 random hex digits and the extension of the type.
  /// - Throws: ``APIError`` 413, 415, or 503 where it cannot be written; ``StoreError``, which is a
  ///   conflict beyond the app's quota.
  nonisolated func keep(
    _ bytes: ArraySlice<UInt8>, app: String, at now: Timestamp
  ) async throws -> String {
    let type = try Self.type(of: bytes)
    let name = Identifiers.hex(OpenSSLCrypto.randomBytes(16)) + "." + type.preferredExtension
    let upload = Upload(name: name, app: app, createdAt: now)
    // The store first: a file that it does not know belongs to no app and is removed.
    try await store.add(upload, bytes: bytes, quota: quota)
    if !store.keepsUploadBytes { try write(Data(bytes), as: upload) }
    return name
  }

  /// The path of an upload's file; `nil` for a name that was never given, or whose upload has expired.
  nonisolated func file(_ name: String) async throws -> String? {
    guard Upload.isName(name) else { return nil }
    let path = path(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    guard store.keepsUploadBytes else { return nil }
    return try await fetch(name) ? path : nil
  }

  /// The path of the file behind a URL of this server, whatever its host; `nil` for any other URL.
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

  /// Writes the file with the date of the upload, whenever this copy is made.
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

  /// Removes files older than `oldest` whose uploads the store no longer has.
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
  /// Whether the page at a path accepts uploads.
  static func isPath(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[1] == "apps" && parts[3] == "compose"
  }
}
