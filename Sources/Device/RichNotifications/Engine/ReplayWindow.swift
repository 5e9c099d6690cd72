import Foundation
import PushCrypto

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The encrypted messages that arrived, to recognize one that a relay repeats.
///
/// A relay cannot read or change an encrypted message, but it can send the same bytes again. A message is identified
/// by the `_nid` in its plaintext, and by the salt of its encryption. Both are authenticated; other parts of the
/// header, such as the record size, can be changed without effect on the plaintext.
///
/// A repeat is legitimate if it replaces the first notification on the phone instead of adding a second, which the
/// system does if both have the same `apns-collapse-id`:
/// - A message that was encrypted again has the same `_nid` and a new salt. Only somebody with the device's keys, not
///   a relay, can make it: a server that repeats a push whose outcome it does not know.
/// - The same bytes are accepted again within ten minutes: an APNs client that repeats a request whose answer was
///   lost, or APNs itself.
///
/// The file has SHA-256 digests of identifiers and no text.
struct ReplayWindow: Sendable {
  /// The maximum number of messages; the oldest are forgotten first.
  static let maximumCount = 1000
  /// The time in seconds after which a message is forgotten: 30 days, the longest that APNs stores a notification.
  static let maximumAge: TimeInterval = 30 * 86_400
  /// The time in seconds in which the same bytes may arrive again.
  static let redeliveryTime: TimeInterval = 600

  /// A message that has arrived.
  struct Message {
    /// The `_nid` of its plaintext; `nil` if the plaintext has none.
    var id: String?
    var salt: [UInt8]
    /// The identifier of the notification request: the `apns-collapse-id`, or one that the system made.
    var request: String
  }

  enum Verdict: Sendable {
    /// The message is new, or a repeat that replaces the first.
    case accepted
    case repeated
    /// The file cannot be read or written.
    case unknown
  }

  private let file: LockedFile
  private let crypto: any CryptoProvider

  /// Creates a window over a file in a folder, which the extension's instances share.
  init(folder: URL, crypto: any CryptoProvider) {
    file = LockedFile(
      url: folder.appending(path: "Library/Martlet/messages", directoryHint: .notDirectory))
    self.crypto = crypto
  }

  /// Checks a message against those that have arrived, and adds it to them.
  func admit(_ message: Message, at now: Date) -> Verdict {
    file.withLock { descriptor in
      guard let stored = Self.read(descriptor) else { return nil }
      let entry = Entry(message, at: now, crypto: crypto)
      let kept = stored.filter { now.timeIntervalSince($0.date) <= Self.maximumAge }
      let verdict = Self.verdict(on: entry, after: kept, canBeReplaced: !message.request.isEmpty)
      guard verdict == .accepted, !kept.contains(where: { $0.salt == entry.salt }) else {
        return verdict
      }
      let isAppended = kept.count == stored.count && kept.count < Self.maximumCount
      let isWritten =
        isAppended
        ? Self.write([entry], at: stored.count, to: descriptor)
        : Self.write(kept.suffix(Self.maximumCount - 1) + [entry], at: 0, to: descriptor)
      return isWritten ? verdict : nil
    } ?? .unknown
  }

  private static func verdict(
    on entry: Entry, after earlier: [Entry], canBeReplaced: Bool
  ) -> Verdict {
    let same = earlier.filter { $0.salt == entry.salt || $0.id == entry.id }
    guard !same.isEmpty else { return .accepted }
    guard canBeReplaced, same.contains(where: { $0.request == entry.request }) else {
      return .repeated
    }
    guard let first = same.first(where: { $0.salt == entry.salt }) else { return .accepted }
    return first.request == entry.request
      && abs(entry.date.timeIntervalSince(first.date)) <= redeliveryTime ? .accepted : .repeated
  }
}

extension ReplayWindow {
  /// One message of the file: the seconds since 1970, two digests of 16 bytes, and the salt.
  private struct Entry: Sendable {
    static let length = 8 + 3 * digestLength
    private static let digestLength = 16

    var date: Date
    var id: ArraySlice<UInt8>
    var request: ArraySlice<UInt8>
    var salt: ArraySlice<UInt8>

    init(_ message: Message, at date: Date, crypto: any CryptoProvider) {
      func digest(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var hash = crypto.makeSHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finalize().prefix(Self.digestLength)
      }
      self.date = date
      salt = message.salt.prefix(Self.digestLength)
      // Without an identifier of its own, only the salt identifies the message.
      id = digest(message.id.map { Array($0.utf8) } ?? message.salt)
      request = digest(Array(message.request.utf8))
    }

    init(_ bytes: ArraySlice<UInt8>) {
      let seconds = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      date = Date(timeIntervalSince1970: TimeInterval(seconds))
      let rest = bytes.dropFirst(8)
      id = rest.prefix(Self.digestLength)
      request = rest.dropFirst(Self.digestLength).prefix(Self.digestLength)
      salt = rest.suffix(Self.digestLength)
    }

    var bytes: [UInt8] {
      let seconds = UInt64(max(0, date.timeIntervalSince1970))
      return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: seconds >> $0) }
        + id + request + salt
    }
  }

  /// Reads the entries; the end of one that a killed process did not write completely is ignored.
  private static func read(_ descriptor: Int32) -> [Entry]? {
    var bytes = [UInt8](repeating: 0, count: maximumCount * Entry.length)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { return nil }
    return stride(from: 0, through: count - Entry.length, by: Entry.length).map {
      Entry(bytes[$0..<$0 + Entry.length])
    }
  }

  /// Writes entries after the first `index`, and ends the file there.
  private static func write(
    _ entries: some Sequence<Entry>, at index: Int, to descriptor: Int32
  ) -> Bool {
    let bytes = entries.flatMap(\.bytes)
    let offset = index * Entry.length
    return pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count
      && ftruncate(descriptor, off_t(offset + bytes.count)) == 0
  }
}
