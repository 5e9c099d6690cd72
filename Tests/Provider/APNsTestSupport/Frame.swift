/// Builds HTTP/2 frames from bytes (RFC 9113 section 4.1), including those that no library would send.
package enum Frame {
  package static let endStream: UInt8 = 1
  package static let endHeaders: UInt8 = 4

  package static func make(_ type: UInt8, _ flags: UInt8, _ stream: Int32, _ payload: [UInt8])
    -> [UInt8]
  {
    Array(word(UInt32(payload.count)).dropFirst()) + [type, flags]
      + word(UInt32(bitPattern: stream)) + payload
  }

  package static func data(_ stream: Int32, _ bytes: [UInt8], last: Bool = false) -> [UInt8] {
    make(0, last ? endStream : 0, stream, bytes)
  }

  package static func headers(
    _ stream: Int32, _ block: [UInt8], flags: UInt8 = endHeaders | endStream
  ) -> [UInt8] {
    make(1, flags, stream, block)
  }

  package static func reset(_ stream: Int32, _ code: UInt32) -> [UInt8] {
    make(3, 0, stream, word(code))
  }

  package static func settings(_ values: [(id: UInt16, value: UInt32)] = []) -> [UInt8] {
    make(4, 0, 0, values.flatMap { [UInt8($0.id >> 8), UInt8($0.id & 0xff)] + word($0.value) })
  }

  package static let settingsAnswer = make(4, 1, 0, [])

  package static func pushPromise(_ stream: Int32, promised: UInt32, _ block: [UInt8]) -> [UInt8] {
    make(5, endHeaders, stream, word(promised) + block)
  }

  package static func ping(_ number: UInt32 = 0) -> [UInt8] {
    make(6, 0, 0, word(0) + word(number))
  }

  package static func goAway(_ last: Int32, code: UInt32 = 0, reason: String = "") -> [UInt8] {
    make(7, 0, 0, word(UInt32(bitPattern: last)) + word(code) + Array(reason.utf8))
  }

  package static func windowUpdate(_ stream: Int32, _ increment: UInt32) -> [UInt8] {
    make(8, 0, stream, word(increment))
  }

  package static func continuation(_ stream: Int32, _ block: [UInt8], last: Bool = false) -> [UInt8]
  {
    make(9, last ? endHeaders : 0, stream, block)
  }

  private static func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// Encodes header fields as literals without indexing and without Huffman coding (RFC 7541 section 6.2.2).
package enum Block {
  package static let ok = status("200")

  package static func status(_ value: String) -> [UInt8] { [8] + text(value) }

  package static func field(_ name: String, _ value: String) -> [UInt8] {
    [0] + text(name) + text(value)
  }

  private static func text(_ text: String) -> [UInt8] {
    // A length of 127 or more continues in further bytes of seven bits each (RFC 7541 section 5.1).
    var length: [UInt8] = [UInt8(min(127, text.utf8.count))]
    var rest = text.utf8.count - 127
    if rest >= 0 {
      while rest >= 128 {
        length.append(UInt8(rest % 128) | 0x80)
        rest /= 128
      }
      length.append(UInt8(rest))
    }
    return length + Array(text.utf8)
  }
}
