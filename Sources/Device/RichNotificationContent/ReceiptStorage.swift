import Dispatch
package import RichNotifications

/// Stores the receipts of a view in the app group, one after the other and on no thread of the view.
package struct ReceiptStorage: Sendable {
  private let work = DispatchQueue(label: "martlet.content.receipts")

  package init() {}

  /// Stores receipts; one that cannot be stored is lost, because a view has nowhere to report it.
  package func add(_ receipts: [Receipt], to queue: ReceiptQueue) {
    guard !receipts.isEmpty else { return }
    work.async {
      for receipt in receipts { try? queue.add(receipt) }
    }
  }

  /// Waits until everything is on disk, which takes milliseconds.
  ///
  /// Call it when the view is gone: the system may stop the extension at any time from then on.
  package func finish() { work.sync {} }
}
