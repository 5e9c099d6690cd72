import Foundation
import PushPayload

/// A person's action on messages of the inbox, which is reported to the server once.
struct InboxMark: Hashable, Sendable {
  enum Kind: String, Sendable { case read, hidden }

  var kind: Kind
  /// The message's identifier; empty for all messages up to ``until``.
  var message: String
  /// The time up to which all messages are read; `nil` for a mark of one message.
  var until: Milliseconds?
  /// The user whose inbox it is, or an empty text.
  var owner: String

  static func read(_ message: String, owner: String) -> InboxMark {
    InboxMark(kind: .read, message: message, owner: owner)
  }

  static func hidden(_ message: String, owner: String) -> InboxMark {
    InboxMark(kind: .hidden, message: message, owner: owner)
  }

  static func allRead(until time: Milliseconds, owner: String) -> InboxMark {
    InboxMark(kind: .read, message: "", until: time, owner: owner)
  }

  /// Whether a message is read by the mark.
  func names(_ other: InboxMessage) -> Bool {
    until.map { other.publishedAt <= $0.date } ?? (message == other.id)
  }

  /// The mark as it waits on disk.
  func fact(at now: Int64) -> StoredFact {
    let id = WordHash(of: [kind.rawValue, message, until?.text ?? "", owner]).hexadecimal
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind.rawValue), "message": .string(message),
      "owner": .string(owner), "at": .string(Milliseconds(now).text),
    ]
    members["until"] = until.map { .string($0.text) }
    return StoredFact(id: id, json: .object(members))
  }

  /// Reads a mark; `nil` if its id is not the hash of its parts, because the file is damaged.
  init?(_ fact: StoredFact) {
    let json = fact.json
    guard let kind = json["kind"]?.string.flatMap(Kind.init), let message = json["message"]?.string,
      let owner = json["owner"]?.string
    else { return nil }
    self.init(kind: kind, message: message, owner: owner)
    until = json["until"]?.string.flatMap(Milliseconds.init(_:))
    guard self.fact(at: 0).id == fact.id else { return nil }
  }

  private init(kind: Kind, message: String, until: Milliseconds? = nil, owner: String) {
    self.kind = kind
    self.message = message
    self.until = until
    self.owner = owner
  }

  /// The parts `read` and `hidden` of a request, for marks of one owner.
  static func parts(_ marks: [InboxMark]) -> [String: JSONValue] {
    var parts: [String: JSONValue] = [:]
    var read: [String: JSONValue] = [:]
    let ids = marks.filter { $0.kind == .read && $0.until == nil }.map(\.message)
    if !ids.isEmpty { read["ids"] = .array(ids.map(JSONValue.string)) }
    read["until"] = marks.compactMap(\.until).max { $0.count < $1.count }.map { .string($0.text) }
    if !read.isEmpty { parts["read"] = .object(read) }
    let hidden = marks.filter { $0.kind == .hidden }.map(\.message)
    if !hidden.isEmpty { parts["hidden"] = .array(hidden.map(JSONValue.string)) }
    return parts
  }
}
