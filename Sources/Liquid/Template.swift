/// A text with Liquid in it, compiled once and rendered for many devices.
///
/// What it understands is listed in `docs/liquid.md`. A name that the context does not have is empty.
package struct Template: Sendable {
  /// How much a template may be and do.
  package struct Limits: Hashable, Sendable {
    /// Bytes of the source.
    package var source = 65_536
    /// Blocks within blocks, and brackets within brackets.
    package var nesting = 32
    /// What one rendering may do: each tag and output, each round of a loop, each element that a
    /// filter looks at and every 64 bytes of text that it handles count one.
    package var steps = 100_000
    /// Bytes that one rendering may write, and bytes or elements of any value on the way.
    package var output = 16_384

    package init() {}
  }

  /// What it was compiled from.
  package let source: String
  let nodes: [Node]
  /// How many names have a slot for a value of the template's own; 0 where it sets none.
  let slots: Int
  private let limits: Limits

  /// Compiles a source.
  ///
  /// Unknown tags and filters, and wrong counts of arguments, are found here and not in a rendering.
  package init(_ source: String, limits: Limits = Limits()) throws(LiquidError) {
    self.source = source
    self.limits = limits
    do throws(Flaw) {
      guard source.utf8.count <= limits.source else {
        throw Flaw(.limit, "the template has more than \(limits.source) bytes", at: 0)
      }
      var parser = Parser(Array(source.utf8), nesting: limits.nesting)
      nodes = try parser.template()
      slots = parser.names.isWritten ? parser.names.count : 0
    } catch {
      throw LiquidError(error, in: source)
    }
  }

  /// What it always writes, where that depends on nothing.
  package var constant: [UInt8]? {
    var bytes: [UInt8] = []
    for node in nodes {
      guard case .text(let text) = node else { return nil }
      bytes += text
    }
    return bytes
  }

  /// Renders, adding UTF-8 to `output`.
  ///
  /// `now` is the time in seconds since 1970 that `"now" | date` shows. What was added stays where
  /// an error is thrown; that is always one of ``Limits``.
  package func render(
    _ context: some LiquidObject, now: Int64, into output: inout [UInt8]
  ) throws(LiquidError) {
    var renderer = Renderer(
      context: context, slots: slots, budget: Budget(limits, now: now), start: output.count)
    do throws(Exceeded) {
      _ = try renderer.render(nodes, into: &output)
    } catch {
      throw LiquidError(Flaw(.limit, error.message, at: renderer.offset), in: source)
    }
  }
}

/// What is left of a rendering's limits.
struct Budget {
  private(set) var steps: Int
  let output: Int
  let now: Int64
  private let limits: Template.Limits

  init(_ limits: Template.Limits, now: Int64) {
    self.limits = limits
    self.now = now
    steps = limits.steps
    output = limits.output
  }

  mutating func spend(_ count: Int = 1) throws(Exceeded) {
    guard count <= steps else {
      throw Exceeded(message: "the template takes more than \(limits.steps) steps")
    }
    steps -= count
  }

  /// Text of so many bytes that is looked at.
  mutating func spend(bytes: Int) throws(Exceeded) { try spend(bytes / 64) }

  /// A value of so many bytes or elements that is made.
  func check(size: Int) throws(Exceeded) {
    guard size <= output else {
      throw Exceeded(message: "the template makes more than \(output) bytes or elements")
    }
  }
}

/// One of the limits is passed.
struct Exceeded: Error {
  var message: String
}
