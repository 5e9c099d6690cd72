/// A worker's request for a batch.
package struct LeaseRequest: Sendable {
  /// The name of the node.
  package var owner: String
  /// The class of the batch's send; `nil` for any.
  package var sendClass: SendClass?
  /// The number of the app whose batch the worker leased before; the other apps come first.
  package var lastApp: Int64
  /// The numbers of the apps whose batches the worker does not take.
  package var excludedApps: Set<Int64>
  package var now: Timestamp
  /// The time at which the lease lapses.
  package var end: Timestamp

  package init(
    owner: String, of sendClass: SendClass? = nil, after lastApp: Int64 = 0,
    excluding apps: Set<Int64> = [], at now: Timestamp, until end: Timestamp
  ) {
    self.owner = owner
    self.sendClass = sendClass
    self.lastApp = lastApp
    excludedApps = apps
    self.now = now
    self.end = end
  }
}
