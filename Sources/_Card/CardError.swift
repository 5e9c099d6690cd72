/// An error in drawing a card.
///
/// A medium that cannot be read is no error: it is drawn as an empty tile.
package struct CardError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    enum Raw { case styleUnusable, tooLarge, outOfMemory }
    let raw: Raw
    package static let styleUnusable = Code(raw: .styleUnusable)
    package static let tooLarge = Code(raw: .tooLarge)
    package static let outOfMemory = Code(raw: .outOfMemory)
  }

  package var code: Code
  package var message: String

  package var description: String { message }
}
