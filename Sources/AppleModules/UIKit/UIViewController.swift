public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `UIViewController`, whose views keep what they are told and are not drawn.
///
/// It is here so that the principal class of a content extension can be tested; outlets and storyboards are not there.
///
/// Source: Apple, `UIViewController`.
open class UIViewController: NSObject {
  /// The title.
  open var title: String?
  /// The size that the extension asks for.
  open var preferredContentSize = CGSize.zero
  /// The context of the extension; `nil` if the controller has no host.
  public package(set) var extensionContext: NSExtensionContext?
  private var isLoaded = false

  /// Creates a controller without a storyboard.
  public override init() { super.init() }

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - nibNameOrNil: Unused.
  ///   - nibBundleOrNil: Unused.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Always returns `nil`, because Linux has no storyboards.
  ///
  /// - Parameter coder: Unused.
  public required init?(coder: NSCoder) {
    notModelled("UIViewController.init(coder:)", "there are no storyboards; use init()")
    return nil
  }

  /// Calls ``viewDidLoad()`` the first time.
  open func loadViewIfNeeded() {
    guard !isLoaded else { return }
    isLoaded = true
    if loadedView == nil { loadView() }
    viewDidLoad()
  }

  /// Whether ``viewDidLoad()`` was called.
  open var isViewLoaded: Bool { isLoaded }

  /// Called once, before the first notification.
  open func viewDidLoad() {}
  /// Called before the view is shown.
  ///
  /// - Parameter animated: Whether it is animated.
  open func viewWillAppear(_ animated: Bool) {}
  /// Called when the view is shown.
  ///
  /// - Parameter animated: Whether it is animated.
  open func viewDidAppear(_ animated: Bool) {}
  /// Called when the view is removed.
  ///
  /// - Parameter animated: Whether it is animated.
  open func viewDidDisappear(_ animated: Bool) {}

  private var loadedView: UIView?

  /// The view, which ``loadView()`` creates when it is first asked for.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set { loadedView = newValue }
  }

  /// Creates the view, a square as wide as a phone of 393 points; a subclass may set another one.
  open func loadView() {
    notModelled(
      "UIViewController.view", "views keep what they are told; nothing is laid out or drawn")
    loadedView = UIView(frame: CGRect(x: 0, y: 0, width: 393, height: 393))
  }
}
