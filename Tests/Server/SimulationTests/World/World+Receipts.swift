import APNs
import PushModel
import PushPayload

extension World {
  /// The longest time in milliseconds from a push to what the phone tells of it.
  private static let longestLook = 30_000

  /// Lets a phone show a push that came to it, and a person open it, or neither.
  func arrive(_ arrival: SimulatedAPNs.Arrival) {
    guard arrival.status == 200, let send = arrival.push.collapseID,
      let device = apns.token(arrival.push.deviceToken)?.device
    else { return }
    let number = receiptChance.number(in: 0...9)
    guard number < 5 else { return }
    let events: [ReceiptRecord.Event] = number < 2 ? [.displayed, .opened] : [.displayed]
    let receipts = events.map { ReceiptRecord(send: send, device: device, event: $0) }
    let delay = receiptChance.number(in: 0...Self.longestLook)
    scheduler.after(.milliseconds(delay)) { [self] in
      chain.run("phone \(device)") { [self] in
        await report(receipts, of: arrival.push.id + "-\(delay)")
      }
    }
  }

  /// Tells the server of receipts, as often as it takes to be answered.
  private func report(_ receipts: [ReceiptRecord], of name: String) async {
    guard let device = receipts.first?.device, !records.phone(device).isRemoved else { return }
    let body: [JSONValue] = receipts.map { receipt in
      [
        "id": .string("\(name)-\(receipt.event.rawValue)"),
        "notification_id": .string(receipt.send), "device_id": .string("d\(device)"),
        "event": .string(receipt.event.rawValue), "at": .string(nodeTime.iso8601),
      ]
    }
    let answer = await insist(
      "POST", "/v6/receipts", ["receipts": .array(body)], role: .device)
    note("d\(device) tells of \(receipts.count) receipts: \(answer.status)")
    guard answer.status == 202 else {
      findings.add(.answered, "receipts of d\(device) are refused: \(answer.json)")
      return
    }
    records.add(receipts)
  }

  /// Checks that each device counts once, however many receipts it sent.
  func checkReceipts(_ answers: FinalAnswers) {
    let taken = Dictionary(grouping: records.takenReceipts, by: \.send)
    for (record, answer) in sends(of: answers) {
      for event in ReceiptRecord.Event.allCases {
        let devices = (taken[answer.id] ?? []).count { $0.event == event }
        let count = answer.hours[event.rawValue] ?? 0
        guard count != devices else { continue }
        findings.add(
          .receipts,
          "\(record.name) counts \(count) \(event.rawValue), which \(devices) devices have told")
      }
    }
  }
}
