import PushModel
import PushPayload

extension CompiledPayload {
  /// Shortens the body, then the subtitle, then the title, until the payload is `excess` bytes
  /// shorter.
  ///
  /// - Returns: The shortened texts, escaped for JSON, each ending in `…`.
  func shortenedTexts(
    for device: Recipient, now: Int64, excess: Int
  ) throws(ComposeError) -> [PayloadTemplate.Role: [UInt8]] {
    var texts: [(role: PayloadTemplate.Role, text: String)] = []
    for part in parts {
      guard case .text(let text, let role) = part, role != .other else { continue }
      texts.append((role, try text.text(for: device, now: now)))
    }
    var excess = excess
    var result: [PayloadTemplate.Role: [UInt8]] = [:]
    for (role, text) in texts.sorted(by: { $0.role.rawValue < $1.role.rawValue }) where excess > 0 {
      let ellipsis = Array("…".utf8)
      let characters = text.map { character in
        var escaped: [UInt8] = []
        JSONText.escape(String(character).utf8, into: &escaped)
        return escaped
      }
      let length = characters.reduce(0) { $0 + $1.count }
      var kept = length
      var count = characters.count
      while count > 0, length - kept - ellipsis.count < excess {
        count -= 1
        kept -= characters[count].count
      }
      // Drop spaces before the ellipsis.
      while count > 0, characters[count - 1] == [0x20] { count -= 1 }
      let short = Array(characters[..<count].joined()) + ellipsis
      guard short.count < length else { continue }
      result[role] = short
      excess -= length - short.count
    }
    return result
  }
}
