import Foundation
import PushModel
import PushPayload
import _OpenSSLCrypto

/// Media that people upload, stored under random names and served to phones without a key.
///
/// The type of a file is determined by its bytes; the name and type that a browser sends are ignored.
/// If the store keeps the bytes for all nodes, a node's folder has copies of the requested files.
actor Uploads {
  /// The most bytes of a file, which is the limit of iOS's largest attachment.
  static let limit = 50 << 20
  /// The most bytes of a request with a file.
  static let bodyLimit = limit + (1 << 20)
  /// The default of the most bytes that an app's uploads may have together: 10 GiB.
  static let defaultQuota = 10 << 30
  /// The accepted types: those of iOS's attachments that every browser shows, and audio.
  static let types: [MediaType] = [.jpeg, .png, .gif, .mpeg4, .mp3, .m4a, .wav, .aiff, .aifc]

  private nonisolated let folder: String
  private nonisolated let store: any PushStore
  /// The most bytes that an app's uploads may have together.
  private nonisolated let quota: Int
  /// The copies that are being fetched from the store, so that each is fetched only once.
  private var arriving: [String: Task<Bool, any Error>] = [:]

  init(folder: String, store: any PushStore, quota: Int = defaultQuota) {
    self.folder = folder
    self.store = store
    self.quota = quota
  }

  /// The type of a file, as its bytes show.
  ///
  /// - Throws: ``RequestError`` `.tooLarge` if iOS does not attach a file of that size, `.unsupportedType` if the type is not accepted.
  static func type(of bytes: ArraySlice<UInt8>) throws(RequestError) -> MediaType {
    guard bytes.count <= limit else {
      throw RequestError(.tooLarge, "the file has more than \(limit >> 20) MiB")
    }
    guard let type = MediaType(signature: bytes), types.contains(type) else {
      throw RequestError(
        .unsupportedType, "the file is no JPEG, PNG, GIF, MP4 or audio that iOS shows")
    }
    let most = type.family.maximumBytes
    guard bytes.count <= most else {
      throw RequestError(
        .tooLarge,
        "iOS attaches \(type.family) of up to \(most / 1_000_000) MB, not \(bytes.count) bytes")
    }
    return type
  }

  /// Stores a file under a new name.
  ///
  /// - Returns: The name: 32 random hex digits and the extension of the type.
  /// - Throws: ``RequestError`` `.tooLarge`, `.unsupportedType`, or `.unavailable` if the file cannot be written; ``StoreError``, which is a
  ///   conflict if the app's quota is exceeded.
  nonisolated func keep(
    _ bytes: ArraySlice<UInt8>, app: String, at now: Timestamp
  ) async throws -> String {
    let type = try Self.type(of: bytes)
    let name = Identifiers.hex(OpenSSLCrypto.randomBytes(16)) + "." + type.preferredExtension
    let upload = Upload(name: name, app: app, createdAt: now)
    // The store comes first, because a file that it does not know belongs to no app and is removed.
    try await store.add(upload, bytes: bytes, quota: quota)
    if !store.keepsUploadBytes { try write(Data(bytes), as: upload) }
    return name
  }

  /// The path of an upload's file; `nil` if no upload ever had the name, or if it has expired.
  nonisolated func file(_ name: String) async throws -> String? {
    guard Upload.isName(name) else { return nil }
    let path = path(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    guard store.keepsUploadBytes else { return nil }
    return try await fetch(name) ? path : nil
  }

  /// The path of the file for a URL of this server with any host; `nil` if the URL is another one.
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

  /// Writes the file with the upload's date, regardless of when this copy is made.
  private nonisolated func write(_ data: Data, as upload: Upload) throws(RequestError) {
    let path = path(upload.name)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try data.write(to: URL(filePath: path), options: .atomic)
      let date = Date(timeIntervalSince1970: Double(upload.createdAt.milliseconds) / 1000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    } catch {
      throw RequestError(
        .unavailable, "the server cannot keep the file; see the disk of its data folder")
    }
  }

  /// Removes files older than `oldest` whose uploads are no longer in the store.
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
