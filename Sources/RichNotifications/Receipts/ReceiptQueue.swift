public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Receipts that wait to be sent, in a folder that extension and app share.
///
/// One file a receipt, written whole under another name and then renamed, so that a process that is
/// killed leaves a receipt or none. Both processes may add, read and remove at once, without a lock: a
/// file that the other has removed in between is a receipt that the other has sent.
public struct ReceiptQueue: Sendable {
  /// How many bytes a receipt has at most, so that a hundred are less than the mebibyte that the
  /// server takes.
  public static let maximumBytes = 8 * 1024

  private let folder: URL
  private let limit: Int

  /// Names a queue; nothing is made before the first receipt.
  ///
  /// - Parameters:
  ///   - folder: Where the files lie and nothing else does; a folder of the app group's container.
  ///   - limit: How many receipts wait at most, at least one; beyond it the oldest are dropped.
  public init(folder: URL, limit: Int = 500) {
    self.folder = folder
    self.limit = max(1, limit)
  }

  /// Keeps a receipt until it is removed; the same one again replaces itself.
  ///
  /// - Parameter receipt: The receipt.
  /// - Throws: ``ReceiptError`` where it is too large or the folder cannot be written to; nothing is
  ///   left behind then.
  public func add(_ receipt: Receipt) throws(ReceiptError) {
    let part = url(".\(UUID().uuidString)\(Self.partSuffix)")
    do {
      let bytes = try Self.encoder.encode(receipt)
      guard bytes.count <= Self.maximumBytes else {
        throw ReceiptError(.tooLarge, "a receipt has at most \(Self.maximumBytes) bytes")
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try bytes.write(to: part, options: Self.protection)
      guard rename(Self.path(part), Self.path(url(receipt.id + Self.suffix))) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch let error as ReceiptError {
      throw error
    } catch {
      unlink(Self.path(part))
      throw ReceiptError(.storage, "the receipt could not be written", cause: error)
    }
    prune()
  }

  /// The receipts that wait, the oldest first.
  ///
  /// What is no receipt is removed on the way. What cannot be read stays: before the first unlock
  /// after a start of the phone that is every file.
  ///
  /// - Parameter maximum: How many to read at most.
  /// - Returns: The receipts.
  public func waiting(atMost maximum: Int = .max) -> [Receipt] {
    var receipts: [Receipt] = []
    for entry in entries() where receipts.count < maximum {
      guard entry.isPlausible else {
        try? FileManager.default.removeItem(at: url(entry.name))
        continue
      }
      guard let bytes = try? Data(contentsOf: url(entry.name)) else { continue }
      if let receipt = try? JSONDecoder().decode(Receipt.self, from: bytes),
        receipt.id + Self.suffix == entry.name
      {
        receipts.append(receipt)
      } else {
        unlink(Self.path(url(entry.name)))
      }
    }
    return receipts
  }

  /// Removes receipts, as after they were sent.
  ///
  /// - Parameter ids: Which; ones that are not there are as good as removed.
  public func remove(_ ids: some Sequence<Receipt.ID>) {
    for id in ids where Self.isOwn(id) { unlink(Self.path(url(id + Self.suffix))) }
  }
}

extension ReceiptQueue {
  private static let suffix = ".json"
  private static let partSuffix = ".part"

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The extension runs on a locked phone, where a file of the strictest class cannot be opened.
  private static var protection: Data.WritingOptions {
    #if canImport(Darwin)
      .completeFileProtectionUntilFirstUserAuthentication
    #else
      []
    #endif
  }

  private struct Entry {
    var name: String
    var written: Date
    var isPlausible: Bool
  }

  /// What lies in the folder under a receipt's name, the oldest first.
  private func entries() -> [Entry] {
    names().compactMap { name in
      guard name.hasSuffix(Self.suffix),
        let attributes = try? FileManager.default.attributesOfItem(atPath: Self.path(url(name)))
      else { return nil }
      let size = attributes[.size] as? NSNumber
      return Entry(
        name: name, written: attributes[.modificationDate] as? Date ?? .distantPast,
        isPlausible: attributes[.type] as? FileAttributeType == .typeRegular
          && (size?.intValue ?? .max) <= Self.maximumBytes)
    }
    .sorted { ($0.written, $0.name) < ($1.written, $1.name) }
  }

  /// Drops what is too many, and what a killed process left half written.
  private func prune() {
    let names = names()
    if names.count(where: { $0.hasSuffix(Self.suffix) }) > limit {
      for entry in entries().dropLast(limit) {
        try? FileManager.default.removeItem(at: url(entry.name))
      }
    }
    for name in names where name.hasSuffix(Self.partSuffix) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: Self.path(url(name)))
      // A write takes milliseconds; a minute later nobody is at it any more.
      if let written = attributes?[.modificationDate] as? Date, written.timeIntervalSinceNow < -60 {
        unlink(Self.path(url(name)))
      }
    }
  }

  private func names() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: Self.path(folder))) ?? []
  }

  /// An id that leads nowhere but to a receipt's file.
  private static func isOwn(_ id: String) -> Bool {
    id.utf8.count == 32 && id.allSatisfy(\.isHexDigit)
  }

  private func url(_ name: String) -> URL {
    folder.appending(path: name, directoryHint: .notDirectory)
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
