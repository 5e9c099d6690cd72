/// Apple's `UIApplication`, which extensions cannot use.
@available(
  *, unavailable,
  message:
    "UIApplication.shared is not available in app extensions; use extensionContext?.open(_:)."
)
public enum UIApplication {}

/// Apple's `UIScreen`, which does not exist here.
@available(
  *, unavailable, message: "UIKit on Linux has no screen; use a fixed scale in the code under test."
)
public enum UIScreen {}

/// Apple's `UIDevice`, which does not exist here.
@available(
  *, unavailable, message: "UIKit on Linux has no device; pass what the code needs to know of it."
)
public enum UIDevice {}
