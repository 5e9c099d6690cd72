/// A surface of cairo and its context.
@safe struct CairoPair: ~Copyable, @unchecked Sendable {
  // Sendable, because only this value has the two pointers, and cairo's objects may move between threads.
  let functions: CairoFunctions
  private let surface: OpaquePointer
  let context: OpaquePointer

  init?(_ functions: CairoFunctions, width: Int32, height: Int32) {
    let argb32: Int32 = 0
    guard let surface = unsafe functions.newSurface(argb32, width, height) else { return nil }
    guard unsafe functions.surfaceStatus(surface) == 0,
      let context = unsafe functions.newContext(surface)
    else {
      unsafe functions.freeSurface(surface)
      return nil
    }
    self.functions = functions
    unsafe (self.surface, self.context) = unsafe (surface, context)
  }

  deinit {
    unsafe functions.freeContext(context)
    unsafe functions.freeSurface(surface)
  }

  /// Makes a path the context's own.
  func replay(_ path: [Segment], isEvenOdd: Bool) {
    unsafe functions.newPath(context)
    unsafe functions.setFillRule(context, isEvenOdd ? 1 : 0)
    for segment in path {
      switch segment {
      case .move(let x, let y): unsafe functions.moveTo(context, x, y)
      case .line(let x, let y): unsafe functions.lineTo(context, x, y)
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        unsafe functions.curveTo(context, x1, y1, x2, y2, x, y)
      case .close: unsafe functions.closePath(context)
      }
    }
  }

  func use(_ paint: Paint) {
    switch paint {
    case .color(let color):
      unsafe functions.setColor(context, color.red, color.green, color.blue, color.alpha)
    case .gradient(let stops, let start, let end):
      guard let pattern = unsafe functions.newGradient(start.0, start.1, end.0, end.1) else {
        return
      }
      for stop in stops {
        let color = stop.color
        unsafe functions.addStop(
          pattern, stop.offset, color.red, color.green, color.blue, color.alpha)
      }
      unsafe functions.setPattern(context, pattern)
      unsafe functions.freePattern(pattern)
    }
  }

  func draw(_ png: [UInt8], alpha: Double) -> Bool {
    guard PNGHeader.isWithinLimits(png) else { return false }
    let reader = PNGReader(png)
    let read: CairoFunctions.Stream = { closure, buffer, count in
      let (isWhole, failed): (Int32, Int32) = (0, 10)
      guard let closure = unsafe closure, let buffer = unsafe buffer else { return failed }
      let reader = unsafe Unmanaged<PNGReader>.fromOpaque(closure).takeUnretainedValue()
      return unsafe reader.read(into: buffer, count: Int(count)) ? isWhole : failed
    }
    let picture = unsafe withExtendedLifetime(reader) {
      unsafe functions.readPNG(read, Unmanaged.passUnretained(reader).toOpaque())
    }
    guard let picture = unsafe picture else { return false }
    defer { unsafe functions.freeSurface(picture) }
    guard unsafe functions.surfaceStatus(picture) == 0 else { return false }
    unsafe functions.setSurface(context, picture, 0, 0)
    unsafe functions.newPath(context)
    unsafe functions.paint(context, alpha)
    return true
  }

  func png() -> [UInt8]? {
    let writer = PNGWriter()
    let write: CairoFunctions.Stream = { closure, buffer, count in
      let (isWhole, failed): (Int32, Int32) = (0, 11)
      guard let closure = unsafe closure, let buffer = unsafe buffer else { return failed }
      let writer = unsafe Unmanaged<PNGWriter>.fromOpaque(closure).takeUnretainedValue()
      unsafe writer.bytes.append(contentsOf: UnsafeBufferPointer(start: buffer, count: Int(count)))
      return isWhole
    }
    let status = withExtendedLifetime(writer) {
      unsafe functions.writePNG(surface, write, Unmanaged.passUnretained(writer).toOpaque())
    }
    return status == 0 ? writer.bytes : nil
  }
}
