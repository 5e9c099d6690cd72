/// A text with Liquid markup that is compiled once and rendered for many devices.
///
/// `docs/server/liquid.md` lists the tags and filters. A name that the context does not have is `nil`.
package struct Template: Sendable {
  /// The limits of a template and of one rendering.
  package struct Limits: Hashable, Sendable {
    /// The most bytes of the source.
    package var source = 65_536
    /// The most levels of nested blocks, and of nested brackets.
    package var nesting = 32
    /// The most steps of one rendering.
    ///
    /// A step is a tag, an output, an iteration of a loop, an element that a filter, a comparison or an output reads,
    /// or 64 bytes of text that one of them processes.
    package var steps = 100_000
    /// The most bytes of the output, and the most bytes or elements of any intermediate value.
    package var output = 16_384

    package init() {}
  }

  /// The text that the template was compiled from.
  package let source: String
  let nodes: [Node]
  /// The names of the template, each with the slot of its variable.
  let names: NameTable
  private let limits: Limits

  /// Compiles a text.
  ///
  /// - Throws: ``LiquidError`` for wrong syntax, an unknown tag or filter, a wrong number of arguments, or a text
  ///   beyond its limits. Rendering finds none of these.
  package init(_ source: String, limits: Limits = Limits()) throws(LiquidError) {
    self.source = source
    self.limits = limits
    do throws(SourceError) {
      guard source.utf8.count <= limits.source else {
        throw SourceError(.limit, "the template has more than \(limits.source) bytes", at: 0)
      }
      var parser = Parser(Array(source.utf8), nesting: limits.nesting)
      nodes = try parser.template()
      names = parser.names
    } catch {
      throw LiquidError(error, in: source)
    }
  }

  /// The output, if it does not depend on the context; `nil` if the template has tags or outputs.
  package var constant: [UInt8]? {
    var bytes: [UInt8] = []
    for node in nodes {
      switch node {
      case .text(let text), .verbatim(let text): bytes += text
      default: return nil
      }
    }
    return bytes
  }

  /// Renders the template and appends the result to `output` as UTF-8.
  ///
  /// - Parameters:
  ///   - context: The values of names.
  ///   - now: The time that `"now" | date` shows, in seconds since 1970.
  ///   - output: The bytes to append to. They keep what was appended before an error.
  /// - Throws: ``LiquidError`` if the rendering exceeds one of its ``Limits``, or a value cannot be used as the
  ///   template needs it.
  package func render(
    _ context: some LiquidObject, now: Int64, into output: inout [UInt8]
  ) throws(LiquidError) {
    var renderer = Renderer(
      context: context, names: names, budget: Budget(limits, now: now), start: output.count)
    do throws(RenderingError) {
      _ = try renderer.render(nodes, into: &output)
    } catch {
      throw LiquidError(SourceError(error.code, error.message, at: renderer.offset), in: source)
    }
  }
}
