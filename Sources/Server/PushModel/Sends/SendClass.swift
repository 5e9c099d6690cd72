/// The class of a send, which says whose pushes wait for whose.
///
/// Each class has batches, workers and connections to APNs of its own, so that no transactional push waits behind a
/// campaign.
package enum SendClass: String, CaseIterable, Hashable, Sendable {
  /// A send to one person or a few, who wait for it: a code, an order's update.
  case transactional
  /// A send to an audience.
  case campaign

  /// The most devices of a transactional send whose caller has named no class, and of a transactional batch.
  package static let transactionalLimit = 100
}

extension Send {
  /// The class: the one that the caller has named, otherwise by the number of devices.
  package var sendClass: SendClass {
    if let namedClass { return namedClass }
    return origin == nil && counts.targeted <= SendClass.transactionalLimit
      ? .transactional : .campaign
  }
}
