import Synchronization

/// A picture that is drawn with cairo, whose surface and context it owns.
///
/// The origin is the top left corner, and a unit is a pixel until ``transform(_:)`` changes both. Not all uses of a
/// drawing are from one thread, so that a lock guards it.
@safe package final class Drawing: Sendable {
  /// The longest side in pixels.
  package static let maximumSide = 16_384
  /// The most pixels, each of which takes four bytes.
  package static let maximumPixels = 64_000_000

  /// Whether the library is installed.
  package static var isPossible: Bool { CairoFunctions.installed != nil }

  package let width: Int
  package let height: Int
  private let pair: Mutex<CairoPair>

  /// Creates a transparent picture; `nil` if a side is not 1…``maximumSide``, if it has more pixels than
  /// ``maximumPixels``, or without the library.
  package init?(width: Int, height: Int) {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height), width * height <= Self.maximumPixels,
      let functions = CairoFunctions.installed,
      let pair = CairoPair(functions, width: Int32(width), height: Int32(height))
    else { return nil }
    (self.width, self.height) = (width, height)
    self.pair = Mutex(pair)
  }

  /// Keeps the transform and the clip, for ``restore()``.
  package func save() { pair.withLock { unsafe $0.functions.save($0.context) } }

  /// Brings the transform and the clip of the last ``save()`` back.
  package func restore() { pair.withLock { unsafe $0.functions.restore($0.context) } }

  /// Changes the coordinates of what is drawn from now on by the matrix `a b c d tx ty`; one that makes all things a line
  /// or a point leaves nothing to draw.
  package func transform(_ matrix: [Double]) {
    let isInvertible = matrix.count == 6 && matrix[0] * matrix[3] - matrix[1] * matrix[2] != 0
    guard isInvertible, matrix.allSatisfy(\.isFinite) else { return clip([]) }
    pair.withLock { pair in
      unsafe matrix.withUnsafeBufferPointer { values in
        if let start = values.baseAddress {
          unsafe pair.functions.transform(pair.context, start)
        }
      }
    }
  }

  /// Limits what is drawn from now on to a path.
  package func clip(_ path: [Segment], isEvenOdd: Bool = false) {
    pair.withLock {
      $0.replay(path, isEvenOdd: isEvenOdd)
      unsafe $0.functions.clip($0.context)
    }
  }

  /// Fills a path.
  package func fill(_ path: [Segment], with paint: Paint, isEvenOdd: Bool = false) {
    pair.withLock {
      $0.replay(path, isEvenOdd: isEvenOdd)
      $0.use(paint)
      unsafe $0.functions.fill($0.context)
    }
  }

  /// Draws a line along a path.
  package func stroke(_ path: [Segment], with paint: Paint, width: Double) {
    pair.withLock {
      $0.replay(path, isEvenOdd: false)
      $0.use(paint)
      unsafe $0.functions.setLineWidth($0.context, width)
      unsafe $0.functions.stroke($0.context)
    }
  }

  /// Makes the inside of a path transparent.
  package func clear(_ path: [Segment]) {
    let (clear, over): (Int32, Int32) = (0, 2)
    pair.withLock {
      $0.replay(path, isEvenOdd: false)
      unsafe $0.functions.setOperator($0.context, clear)
      unsafe $0.functions.fill($0.context)
      unsafe $0.functions.setOperator($0.context, over)
    }
  }

  /// Fills all within the clip.
  package func paint(_ paint: Paint) {
    pair.withLock {
      $0.use(paint)
      unsafe $0.functions.paint($0.context, 1)
    }
  }

  /// Draws a picture with its top left corner at the origin, of which a pixel is a unit.
  ///
  /// - Returns: Whether the bytes are a PNG within the limits.
  package func draw(png: [UInt8], alpha: Double = 1) -> Bool {
    pair.withLock { $0.draw(png, alpha: alpha) }
  }

  /// The picture as a PNG.
  package func png() -> [UInt8]? { pair.withLock { $0.png() } }
}
