/// An error in drawing a card.
///
/// A medium that cannot be read is not an error: it is drawn as an empty tile.
package struct CardError: Error, Codable, Sendable, CustomStringConvertible {
  package struct Code: Codable, Hashable, Sendable {
    enum Raw: Codable { case styleUnusable, tooLarge, outOfMemory, processFailed, busy }
    let raw: Raw
    package static let styleUnusable = Code(raw: .styleUnusable)
    package static let tooLarge = Code(raw: .tooLarge)
    package static let outOfMemory = Code(raw: .outOfMemory)
    /// The process that draws could not be started, or ended.
    package static let processFailed = Code(raw: .processFailed)
    /// Too many cards wait to be drawn.
    package static let busy = Code(raw: .busy)
  }

  package var code: Code
  package var message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
