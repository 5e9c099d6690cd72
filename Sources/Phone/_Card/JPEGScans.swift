import Glibc

/// The scans of a JPEG file, counted before it is decoded.
///
/// A progressive JPEG refines the whole picture with each scan, and a scan that changes nothing takes 59 bytes:
/// a file of 200 KB can keep a decoder busy for minutes (libjpeg-turbo, "Two Issues with the JPEG Standard").
struct JPEGScans {
  /// The maximum number of scans; encoders write about ten.
  static let limit = 50

  /// Whether a file is a JPEG with more scans than ``limit``; `false` for any other file.
  static func isOverLimit(file path: String) -> Bool {
    guard let file = unsafe fopen(path, "re") else { return false }
    defer { unsafe fclose(file) }
    var scans = JPEGScans()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0, scans.read(buffer[..<count]) else { return scans.count > limit }
    }
  }

  private enum State {
    case start, marker, data, afterFF
    case length(high: UInt8?)
    case segment(left: Int)
    case end
  }

  private(set) var count = 0
  private var state = State.start
  private var isStartSeen = false

  /// Reads the next bytes of the file.
  ///
  /// - Returns: Whether more bytes can change the result.
  mutating func read(_ bytes: ArraySlice<UInt8>) -> Bool {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch state {
      case .start:
        guard byte == 0xFF else { return stopReading() }
        state = .marker
      case .marker:
        // Further FF bytes are padding (ITU-T T.81, B.1.1.2).
        if byte != 0xFF { state = stateAfter(marker: byte) }
      case .length(nil): state = .length(high: byte)
      case .length(let high?):
        let length = Int(high) << 8 | Int(byte)
        guard length >= 2 else { return stopReading() }
        state = length == 2 ? .data : .segment(left: length - 2)
      case .segment(let left):
        let skipped = min(left, bytes.endIndex - index)
        state = skipped == left ? .data : .segment(left: left - skipped)
        index += skipped
        continue
      case .data: if byte == 0xFF { state = .afterFF }
      case .afterFF:
        // A stuffed zero and the restart markers belong to the scan.
        if byte == 0 || 0xD0...0xD7 ~= byte {
          state = .data
        } else if byte != 0xFF {
          state = stateAfter(marker: byte)
        }
      case .end: return false
      }
      if count > Self.limit { return stopReading() }
      index += 1
    }
    if case .end = state { return false }
    return true
  }

  private mutating func stateAfter(marker: UInt8) -> State {
    if !isStartSeen {
      isStartSeen = marker == 0xD8
      return isStartSeen ? .data : .end
    }
    switch marker {
    case 0xD9: return .end
    case 0xDA:
      count += 1
      return .length(high: nil)
    case 0x01, 0xD8: return .data
    default: return .length(high: nil)
    }
  }

  private mutating func stopReading() -> Bool {
    state = .end
    return false
  }
}
