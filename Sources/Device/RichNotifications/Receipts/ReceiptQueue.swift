public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A queue of receipts to send, in a folder that the extension and the app share.
///
/// Each receipt is a file, which is written under a temporary name and then renamed, so that a killed
/// process leaves no partial receipt. Both processes may add, read and remove receipts at the same time
/// without a lock: a file that has disappeared is a receipt that the other process has sent.
public struct ReceiptQueue: Sendable {
  /// The maximum size of a receipt in bytes.
  ///
  /// A request of 100 receipts then stays below the server's limit of 1 MiB.
  public static let maximumBytes = 8 * 1024

  private let folder: URL
  private let limit: Int

  /// Creates a queue.
  ///
  /// The folder is created with the first receipt.
  ///
  /// - Parameters:
  ///   - folder: A folder of the app group's container that is used for nothing else.
  ///   - limit: The maximum number of receipts, at least 1. Beyond it the oldest are dropped.
  public init(folder: URL, limit: Int = 500) {
    self.folder = folder
    self.limit = max(1, limit)
  }

  /// Adds a receipt.
  ///
  /// One with the same ``Receipt/id`` is replaced.
  ///
  /// - Parameter receipt: The receipt.
  /// - Throws: ``ReceiptError`` if the receipt is too large or the folder cannot be written to. No file is left
  ///   behind then.
  public func add(_ receipt: Receipt) throws(ReceiptError) {
    let part = url(".\(UUID().uuidString)\(Self.partSuffix)")
    do {
      let bytes = try Self.encoder.encode(receipt)
      guard bytes.count <= Self.maximumBytes else {
        throw ReceiptError(
          .tooLarge, "the receipt has \(bytes.count) bytes; the limit is \(Self.maximumBytes)")
      }
      try OwnFile.createFolder(folder)
      try OwnFile.create(part, with: bytes)
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

  /// Returns the receipts in the queue, the oldest first.
  ///
  /// Files that are not receipts are removed. Files that cannot be read are kept, because no file can be read
  /// before the phone's first unlock after a restart.
  ///
  /// - Parameter maximum: The maximum number of receipts to return.
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

  /// Removes receipts.
  ///
  /// - Parameter ids: The receipts' identifiers; unknown ones are ignored.
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

  private struct Entry {
    var name: String
    var written: Date
    var isPlausible: Bool
  }

  /// The files with a receipt's name, the oldest first.
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

  /// Removes receipts over the limit, and temporary files of killed processes.
  private func prune() {
    let names = names()
    if names.count(where: { $0.hasSuffix(Self.suffix) }) > limit {
      for entry in entries().dropLast(limit) {
        try? FileManager.default.removeItem(at: url(entry.name))
      }
    }
    for name in names where name.hasSuffix(Self.partSuffix) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: Self.path(url(name)))
      // A write takes milliseconds, so after a minute its process has been killed.
      if let written = attributes?[.modificationDate] as? Date, written.timeIntervalSinceNow < -60 {
        unlink(Self.path(url(name)))
      }
    }
  }

  private func names() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: Self.path(folder))) ?? []
  }

  /// Whether an identifier can be used in a file name.
  private static func isOwn(_ id: String) -> Bool {
    id.utf8.count == 32 && id.allSatisfy(\.isHexDigit)
  }

  private func url(_ name: String) -> URL {
    folder.appending(path: name, directoryHint: .notDirectory)
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
