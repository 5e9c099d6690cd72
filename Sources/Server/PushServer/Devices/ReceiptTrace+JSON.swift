import PushModel
import PushPayload

extension ReceiptTrace {
  /// Reads the `trace` of a receipt; members that this version does not know are left out.
  init(_ field: BodyValue) throws(RequestError) {
    self.init()
    _ = try field.object()
    dialect = try Self.word(field["dialect"])
    decryption = try Self.word(field["decryption"])
    isFocused = try field["focused"]?.bool()
    if let value = field["content"] {
      guard let known = Content(rawValue: try value.string()) else {
        let words = Content.allCases.map(\.rawValue).joined(separator: ", ")
        throw .refused(value.path, "must be one of \(words)")
      }
      content = known
    }
    for element in try field["media"]?.elements(upTo: Self.mediaLimit, of: "media") ?? [] {
      let status = try element["status"]?.integer(in: 100...599)
      media.append(
        Medium(
          result: try Self.word(try element.required("result")) ?? "",
          reason: try Self.word(element["reason"]), status: status.map { Int($0) }))
    }
  }

  private static func word(_ field: BodyValue?) throws(RequestError) -> String? {
    guard let field else { return nil }
    let text = try field.string()
    guard text.unicodeScalars.count <= wordLimit else {
      throw .refused(field.path, "must be at most \(wordLimit) characters")
    }
    return text
  }
}
