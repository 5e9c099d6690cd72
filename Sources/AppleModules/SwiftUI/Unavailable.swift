/// Apple's `View`, which does not exist here.
@available(*, unavailable, message: "SwiftUI on Linux has no views; test them on a phone.")
public protocol View {}

/// Apple's `Text`, which does not exist here.
@available(*, unavailable, message: "SwiftUI on Linux has no views; test them on a phone.")
public enum Text {}

/// Apple's `Image`, which does not exist here.
@available(*, unavailable, message: "SwiftUI on Linux has no views; use UIImage for a picture.")
public enum Image {}

/// Apple's `Color`, which does not exist here.
@available(*, unavailable, message: "SwiftUI on Linux has no views; use UIColor for a color.")
public enum Color {}
