/// The steps that a rendering has left, and its other limits.
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

  /// Counts steps.
  mutating func spend(_ count: Int = 1) throws(RenderingError) {
    guard count <= steps else {
      throw RenderingError(.limit, "the template needs more than \(limits.steps) steps")
    }
    steps -= count
  }

  /// Counts the steps of processing a text.
  mutating func spend(bytes: Int) throws(RenderingError) { try spend(bytes / 64) }

  /// Counts the steps of searching a text for another.
  mutating func spend(bytes: Int, searchedFor needle: String) throws(RenderingError) {
    try spend(bytes: bytes + needle.utf8.count)
  }

  /// Checks the size of the output or of an intermediate value, in bytes or elements.
  func check(size: Int) throws(RenderingError) {
    guard size <= output else {
      throw RenderingError(
        .limit, "the output, or a value, has more than \(output) bytes or elements")
    }
  }

  /// The output of a value as a string.
  mutating func text(of value: LiquidValue) throws(RenderingError) -> String {
    if case .string(let text) = value { return text }
    var bytes: [UInt8] = []
    try value.write(to: &bytes, &self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An error of a rendering: it exceeds one of its limits, or a value cannot be used as the template needs it.
///
/// Its message has no value of a device.
struct RenderingError: Error {
  var code: LiquidError.Code
  var message: String

  init(_ code: LiquidError.Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
