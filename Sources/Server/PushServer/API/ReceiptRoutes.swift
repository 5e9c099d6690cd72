import PushModel
import PushPayload
import _HTTPServer

/// `/receipts`: the devices' reports of notifications that were received, displayed or opened.
enum ReceiptRoutes {
  static let all: [Route] = [
    Route(
      "POST", "/v6/receipts", access: .app([.device]), body: "application/json",
      devices: .body { body in
        let receipts = body["receipts"]?.value.array ?? []
        // The handler refuses a longer list.
        return receipts.prefix(Receipt.listLimit).compactMap { $0["device_id"]?.string }
      }, operation: .recordReceipts, handler: record)
  ]

  private static func record(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let receipts = try Receipt.list(try call.json().required("receipts"))
    try await router.actions.recordReceipts(receipts, claim: call.claim, by: call.actor)
    return .json(status: 202, receipts.answer)
  }
}
