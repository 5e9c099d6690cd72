// Strings with attributes, and notifications in the process. https://developer.apple.com/documentation/foundation
public struct NSRange: Hashable, Sendable {
  public init(location: Int, length: Int) { fatalError() }
  public var location: Int
  public var length: Int
}

open class NSAttributedString: NSObject {
  public struct Key: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { fatalError() }
  }
  public struct EnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
  }
  public init(string str: String, attributes attrs: [Key: Any]? = nil) { fatalError() }
  public init(attributedString attrStr: NSAttributedString) { fatalError() }
  open var length: Int { fatalError() }
  open func enumerateAttribute(
    _ attrName: Key, in enumerationRange: NSRange, options opts: EnumerationOptions = [],
    using block: (Any?, NSRange, UnsafeMutablePointer<ObjCBool>) -> Void
  ) { fatalError() }
}

open class NSMutableAttributedString: NSAttributedString {
  open func addAttribute(_ name: NSAttributedString.Key, value: Any, range: NSRange) {
    fatalError()
  }
}

public struct Notification: Hashable {
  public struct Name: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { fatalError() }
  }
}

open class NotificationCenter: NSObject, @unchecked Sendable {
  open class var `default`: NotificationCenter { fatalError() }
  open func addObserver(
    forName name: Notification.Name?, object obj: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { fatalError() }
  open func removeObserver(_ observer: Any) { fatalError() }
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, *)
  public struct ObservationToken: Hashable, Sendable {}
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, *)
  public func removeObserver(_ token: ObservationToken) { fatalError() }
}

open class NSExtensionContext: NSObject {
  open func open(_ URL: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
    fatalError()
  }
}
