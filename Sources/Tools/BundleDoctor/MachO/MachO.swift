package import Foundation

/// An executable of Apple's systems, thin or fat, with the parts that rules need.
///
/// Source: `mach-o/loader.h`, `mach-o/fat.h` and `mach/machine.h` of Apple's XNU.
package struct MachO: Sendable {
  /// The slices, one for each architecture, in the order of the file.
  package let slices: [Slice]

  /// The machine code for one architecture.
  package struct Slice: Sendable {
    /// The name `arm64`, `arm64e`, `armv7` or `x86_64`, or "processor" and the number of another architecture.
    package var architecture: String
    package var platform: Platform?
    /// The oldest version of the system on which it runs, from its build version.
    package var minimumSystem: Version?
    /// The install names of the libraries without which it cannot start.
    package var libraries: [String] = []
    /// The folders for which `@rpath` stands.
    package var searchPaths: [String] = []
    /// Whether the App Store encrypted it, so that its strings cannot be read.
    package var isEncrypted = false
    package var signature: CodeSignature?
  }

  /// The system for which it was built.
  package struct Platform: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let macOS = Platform(rawValue: 1)
    package static let iOS = Platform(rawValue: 2)
    package static let tvOS = Platform(rawValue: 3)
    package static let watchOS = Platform(rawValue: 4)
    package static let catalyst = Platform(rawValue: 6)
    package static let iOSSimulator = Platform(rawValue: 7)
    package static let tvSimulator = Platform(rawValue: 8)
    package static let watchSimulator = Platform(rawValue: 9)
    package static let visionOS = Platform(rawValue: 11)
    package static let visionSimulator = Platform(rawValue: 12)

    package var isSimulator: Bool {
      [.iOSSimulator, .tvSimulator, .watchSimulator, .visionSimulator].contains(self)
    }
  }

  package static let maximumSlices = 16
  package static let maximumCommands = 10_000

  package init(_ data: Data) throws(MachOError) {
    let file = ByteView(data)
    guard file.count >= 4 else { throw MachOError("it is not a Mach-O file") }
    switch try file.big(UInt32.self, at: 0) {
    case 0xcafe_babe: slices = try Self.fatSlices(file, is64Bit: false)
    case 0xcafe_babf: slices = try Self.fatSlices(file, is64Bit: true)
    default: slices = [try Slice(file)]
    }
  }

  private static func fatSlices(_ file: ByteView, is64Bit: Bool) throws(MachOError) -> [Slice] {
    let count = try file.bigInt(at: 4)
    guard 1...maximumSlices ~= count else {
      throw MachOError("it claims \(count) architectures; at most \(maximumSlices) are read")
    }
    var slices: [Slice] = []
    for index in 0..<count {
      let entry = try file.part(at: 8 + index * (is64Bit ? 32 : 20), count: is64Bit ? 32 : 20)
      let offset =
        is64Bit ? Int(clamping: try entry.big(UInt64.self, at: 8)) : try entry.bigInt(at: 8)
      let size =
        is64Bit ? Int(clamping: try entry.big(UInt64.self, at: 16)) : try entry.bigInt(at: 12)
      slices.append(try Slice(file.part(at: offset, count: size)))
    }
    return slices
  }
}

extension MachO.Slice {
  init(_ file: ByteView) throws(MachOError) {
    let headerSize: Int
    switch file.count >= 4 ? try file.little(UInt32.self, at: 0) : 0 {
    case 0xfeed_facf: headerSize = 32
    case 0xfeed_face: headerSize = 28
    default: throw MachOError("it is not a Mach-O file")
    }
    architecture = Self.architecture(
      try file.little(UInt32.self, at: 4), try file.little(UInt32.self, at: 8))
    let count = try file.littleInt(at: 16)
    guard count <= MachO.maximumCommands else {
      throw MachOError(
        "it claims \(count) load commands; at most \(MachO.maximumCommands) are read")
    }
    var commands = try file.part(at: headerSize, count: file.littleInt(at: 20))
    for _ in 0..<count {
      let size = try commands.littleInt(at: 4)
      guard size >= 8 else { throw MachOError("it has a load command of \(size) bytes") }
      try read(commands.part(at: 0, count: size), in: file)
      commands = try commands.part(from: size)
    }
  }

  private mutating func read(_ command: ByteView, in file: ByteView) throws(MachOError) {
    switch try command.little(UInt32.self, at: 0) {
    case 0x1d:  // LC_CODE_SIGNATURE
      // A file may refer to the same bytes thousands of times, and each signature would be read.
      guard signature == nil else { throw MachOError("it has two code signatures") }
      let blob = try file.part(at: command.littleInt(at: 8), count: command.littleInt(at: 12))
      signature = try CodeSignature(blob)
    case 0x32:  // LC_BUILD_VERSION
      platform = MachO.Platform(rawValue: try command.little(UInt32.self, at: 8))
      minimumSystem = Version(packed: try command.little(UInt32.self, at: 12))
    case 0x24: try readMinimum(command, of: .macOS)  // LC_VERSION_MIN_MACOSX
    case 0x25: try readMinimum(command, of: .iOS)  // LC_VERSION_MIN_IPHONEOS
    case 0x2f: try readMinimum(command, of: .tvOS)  // LC_VERSION_MIN_TVOS
    case 0x30: try readMinimum(command, of: .watchOS)  // LC_VERSION_MIN_WATCHOS
    case 0x21, 0x2c:  // LC_ENCRYPTION_INFO, LC_ENCRYPTION_INFO_64
      isEncrypted = try command.little(UInt32.self, at: 16) != 0
    case 0xc:  // LC_LOAD_DYLIB; a weak one may be absent
      libraries.append(try command.text(at: command.littleInt(at: 8)))
    case 0x8000_001c:  // LC_RPATH
      searchPaths.append(try command.text(at: command.littleInt(at: 8)))
    default: break
    }
  }

  /// Reads one of the commands that give the system in executables from before 2018.
  private mutating func readMinimum(
    _ command: ByteView, of system: MachO.Platform
  ) throws(MachOError) {
    platform = platform ?? system
    minimumSystem = Version(packed: try command.little(UInt32.self, at: 8))
  }

  private static func architecture(_ type: UInt32, _ subtype: UInt32) -> String {
    switch (type, subtype & 0xff) {
    case (0x0100_000c, 2): "arm64e"
    case (0x0100_000c, _): "arm64"
    case (0x0100_0007, _): "x86_64"
    case (12, 9): "armv7"
    case (12, 11): "armv7s"
    default: "processor \(type)"
    }
  }
}
