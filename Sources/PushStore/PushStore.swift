/// Where a push server keeps what must outlive it: apps, keys, devices, audiences, sends, outcomes.
///
/// Every method is one transaction, durable when it returns. `storeConformance` in the tests says
/// what an implementation must do.
package protocol PushStore: Sendable {
  // Apps and keys.

  /// - Throws: ``StoreError/Code/conflict`` where an app has the id already.
  func add(_ app: App, keys: [APIKey]) async throws(StoreError)
  func apps() async throws(StoreError) -> [App]
  func app(_ id: String) async throws(StoreError) -> App?
  /// Puts a newly sealed key in the place of the old one, of which nothing stays behind.
  func replaceKey(of app: String, with sealedKey: [UInt8]) async throws(StoreError)
  func add(_ key: APIKey) async throws(StoreError)
  /// The keys of an app, or those of no app.
  func keys(app: String?) async throws(StoreError) -> [APIKey]
  func key(hash: [UInt8]) async throws(StoreError) -> APIKey?

  // Devices.

  func device(_ id: String, app: String) async throws(StoreError) -> Device?
  /// Merges an update into a device, which is made where it is absent, and returns what it became.
  /// A token belongs to the device that named it last.
  func update(
    device id: String, app: String, _ patch: DevicePatch, at now: Timestamp
  ) async throws(StoreError) -> Device
  /// Merges each line into the device with its token, which is made where it is absent.
  func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp
  ) async throws(StoreError)
  func deviceCount(app: String) async throws(StoreError) -> Int

  // Sends.

  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// Stores a send, its audience where that is new, and batches of the devices that the audience
  /// has now; all of it or nothing.
  func accept(_ send: Send, to audience: Audience) async throws(StoreError) -> Send
  /// Finds a send by its own id or that of the message around it.
  func send(_ id: String, app: String) async throws(StoreError) -> Send?
  /// The newest sends first; `cursor` is the id of the last one seen.
  func sends(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int)
  func outcomes(of send: String) async throws(StoreError) -> [Outcome]

  // The queue.

  /// Leases the oldest batch that is due; its send is in state `sending` from then on.
  func leaseBatch(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> Batch?
  /// Records outcomes, the first one of a device only, and ends the lease. A batch with devices
  /// left is due again at `retryAt`; a send whose last batch ends is complete.
  func finish(
    _ batch: Batch, outcomes: [Outcome], retryAt: Timestamp, at now: Timestamp
  ) async throws(StoreError)
  /// Makes every batch leased by an owner due now: what a node says when it starts.
  func releaseBatches(owner: String) async throws(StoreError)
  /// When the next batch falls due or its lease lapses; `nil` where there is none.
  func nextBatchTime() async throws(StoreError) -> Timestamp?
}

/// Why a store could not do it.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case locked, newerVersion, cannotOpen, conflict, failed }
    private let raw: Raw
    /// Another process holds the store.
    package static let locked = Code(raw: .locked)
    /// A newer version of this software has written it.
    package static let newerVersion = Code(raw: .newerVersion)
    package static let cannotOpen = Code(raw: .cannotOpen)
    /// Something with that id is there already.
    package static let conflict = Code(raw: .conflict)
    package static let failed = Code(raw: .failed)
  }

  package var code: Code
  /// What happened and the cure, in one line.
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
