import PushPayload

@testable import MartletKit

/// The server's inbox of an app whose messages are for all: read state is the user's, and of devices without one it is one too.
struct ModelInbox: Sendable {
  /// The ids of the messages, the one published last first, and when each was published.
  private var messages: [(id: String, time: Int64)] = []
  /// What each user has read and hidden.
  private(set) var read: [String: Set<String>] = [:]
  private(set) var hidden: [String: Set<String>] = [:]
  /// How often each mark came, by its user and message.
  private(set) var marks: [String: Int] = [:]
  var pageSize = 50
  /// Whether cursors are too old.
  var cursorsExpire = false

  mutating func publish(_ ids: String...) { for id in ids { publish(id) } }

  mutating func publish(_ id: String) {
    messages.insert((id, 1_700_000_000_000 + Int64(messages.count) * 1000), at: 0)
  }

  mutating func mark(_ parts: JSONValue, of user: String) {
    let until = parts["read"]?["until"]?.string.flatMap { Milliseconds($0) }
    let old = messages.filter { message in until.map { message.time <= $0.count } ?? false }
    guard parts["read"] != nil || parts["hidden"] != nil else { return }
    let ids = parts["read"]?["ids"]?.array?.compactMap(\.string) ?? []
    read[user, default: []].formUnion(ids + old.map(\.id))
    let gone = parts["hidden"]?.array?.compactMap(\.string) ?? []
    hidden[user, default: []].formUnion(gone)
    for id in ids + gone { marks["\(user)/\(id)", default: 0] += 1 }
  }

  private func shown(to user: String) -> [(id: String, time: Int64)] {
    messages.filter { !(hidden[user]?.contains($0.id) ?? false) }
  }

  func unread(of user: String) -> Int {
    shown(to: user).count { !(read[user]?.contains($0.id) ?? false) }
  }

  /// A page of the list; `nil` for a cursor that is too old.
  func page(of user: String, after query: String?) -> JSONValue? {
    var rest = shown(to: user)[...]
    if let last = query?.split(separator: "=").last {
      guard !cursorsExpire, let index = messages.firstIndex(where: { $0.id == last }) else {
        return nil
      }
      let time = messages[index].time
      rest = rest.drop { $0.time >= time }
    }
    let page = rest.prefix(pageSize)
    let cursor = rest.count > pageSize ? page.last?.id : nil
    return [
      "messages": .array(
        page.map { id, time in
          [
            "id": .string(id), "title": .string("Title of \(id)"), "text": .null,
            "custom": ["key": "value"], "published_at": .string(Milliseconds(time).text),
            "is_read": .bool(read[user]?.contains(id) ?? false),
          ]
        }),
      "unread": .integer(Int64(unread(of: user))),
      "meta": ["cursor": cursor.map(JSONValue.string) ?? .null],
    ]
  }
}
