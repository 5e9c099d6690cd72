// Data and the protocols of bytes. https://developer.apple.com/documentation/foundation/data
public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {
  associatedtype Regions: BidirectionalCollection where Regions.Element: DataProtocol & ContiguousBytes
  var regions: Regions { get }
}

extension Array: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension Slice: ContiguousBytes where Base: ContiguousBytes {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}
extension UnsafeRawBufferPointer: ContiguousBytes {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}

extension Array: DataProtocol where Element == UInt8 {
  public var regions: CollectionOfOne<[UInt8]> { fatalError() }
}
extension ArraySlice: DataProtocol where Element == UInt8 {
  public var regions: CollectionOfOne<ArraySlice<UInt8>> { fatalError() }
}

public struct Data: DataProtocol, ContiguousBytes, RangeReplaceableCollection, MutableCollection,
  Hashable, Sendable, Codable
{
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var mappedIfSafe: ReadingOptions { fatalError() }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var atomic: WritingOptions { fatalError() }
    public static var withoutOverwriting: WritingOptions { fatalError() }
    public static var completeFileProtectionUntilFirstUserAuthentication: WritingOptions {
      fatalError()
    }
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
  }

  public init() { fatalError() }
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
  public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
  public init(repeating repeatedValue: UInt8, count: Int) { fatalError() }
  public init(contentsOf url: URL, options: ReadingOptions = []) throws { fatalError() }
  public init?(base64Encoded base64String: String, options: Base64DecodingOptions = []) {
    fatalError()
  }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
  public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }

  public var regions: CollectionOfOne<Data> { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set { fatalError() }
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { fatalError() }
    set { fatalError() }
  }
  public func index(after i: Int) -> Int { fatalError() }
  public func index(before i: Int) -> Int { fatalError() }
  public mutating func replaceSubrange<C: Collection>(
    _ subrange: Range<Int>, with newElements: C
  ) where C.Element == UInt8 { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public mutating func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) rethrows -> R { fatalError() }
  public init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws { fatalError() }
}
