import PushModel
import PushPayload

extension Receipt {
  /// The largest number of receipts in one list.
  static let listLimit = 1000

  /// Reads a list of receipts, which are all of one device if there is a `device`.
  static func list(
    _ field: BodyValue, of device: String? = nil
  ) throws(RequestError) -> ValidElements<Receipt> {
    try ValidElements(field, upTo: listLimit, of: "receipts") { element throws(RequestError) in
      let receipt = try Receipt(element)
      guard device == nil || receipt.device == device else {
        throw .refused(element.path(to: "device_id"), "must be the device of the path")
      }
      return receipt
    }
  }

  private init(_ field: BodyValue) throws(RequestError) {
    let event = try field.required("event")
    guard let kind = Event(rawValue: try event.string()) else {
      let words = Event.allCases.map(\.rawValue).joined(separator: ", ")
      throw .refused(event.path, "must be one of \(words)")
    }
    let at = try field.required("at")
    guard let time = Timestamp(iso8601: try at.string()) else {
      throw .refused(at.path, "must be an ISO 8601 date")
    }
    self.init(
      id: try Self.text(try field.required("id"), 1...255),
      send: try Self.text(try field.required("notification_id"), 1...64),
      device: try Self.text(try field.required("device_id"), 1...64), event: kind, at: time)
    media = try field["media"].map { value throws(RequestError) in try Self.text(value) }
    reason = try field["reason"].map { value throws(RequestError) in try Self.text(value) }
    milliseconds = try field["duration_ms"]?.integer(in: 0...Int64(Int32.max))
    trace = try field["trace"].map { value throws(RequestError) in try ReceiptTrace(value) }
    page = try field["page"].map { value throws(RequestError) in
      Int(try value.integer(in: 0...TemplateEventLimits.lastPage))
    }
    dwell = try field["dwell_seconds"].map { value throws(RequestError) in
      Int(try value.integer(in: 0...TemplateEventLimits.longestDwell))
    }
    value = try field["value"].map { value throws(RequestError) in
      try Self.text(value, 1...TemplateEventLimits.longestValue)
    }
    // Only the app's webhooks read the text, which is checked for them. The server does not store what a
    // person typed.
    if let text = field["text"] { _ = try Self.text(text, 1...TemplateEventLimits.longestValue) }
    if kind == .templatePage {
      _ = try field.required("page")
      _ = try field.required("dwell_seconds")
    }
  }

  private static func text(
    _ field: BodyValue, _ length: ClosedRange<Int> = 0...64
  ) throws(RequestError) -> String {
    let text = try field.string()
    guard length.contains(text.unicodeScalars.count) else {
      throw .refused(field.path, "must be \(length.lowerBound) to \(length.upperBound) characters")
    }
    return text
  }
}
