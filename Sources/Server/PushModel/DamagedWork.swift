/// A node's work that cannot go on because one of its rows is damaged.
package enum DamagedWork: Hashable, Sendable {
  case send(SendKey)
  case run(app: Int64, id: String)
  case trigger(app: Int64, number: Int64)
  case webhookCall(app: Int64, number: Int64)
}
