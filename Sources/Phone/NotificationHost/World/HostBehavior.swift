/// Switches for behavior that Apple does not document, or that differs from Apple's documentation.
///
/// `docs/app/ios-model.md` lists the rules that each switch changes.
public struct HostBehavior: Hashable, Sendable {
  /// The time from the launch of the extension to its end.
  ///
  /// Apple documents "no more than 30 seconds". The default is 30 s.
  public var timeLimit: Duration = .seconds(30)
  /// The time before the end at which `serviceExtensionTimeWillExpire` is called.
  ///
  /// The default is 1 s.
  public var expiryGrace: Duration = .seconds(1)
  /// The maximum real time that the clock waits in one run for work of the extension that it does not see.
  ///
  /// Such work is, for example, a block on a dispatch queue, `Thread.sleep` or a timer. Virtual time advances with real
  /// time while it lasts. Raise the limit for an extension that waits longer in this way. If other code of the process,
  /// such as another test, runs when the extension is started, the limit is a twentieth of it. The default is 10 s.
  public var unseenWorkLimit: Duration = .seconds(10)
  /// Whether a debugger is attached to the extension, which then has no time limit.
  ///
  /// The default is `false`. With `true`, a delivery to an extension that never replies does not return.
  public var isDebugging = false
  /// Whether one instance of the principal class receives all notifications.
  ///
  /// Apps have observed this on old systems. The default is `false`.
  public var reusesInstance = false
  /// Whether a service extension with `UNNotificationExtensionCategory` runs only for those categories.
  ///
  /// Apple's page on `categoryIdentifier` suggests it, but systems do not behave so. The default is `false`.
  public var categoryGatesServiceExtension = false
  /// Whether the push type is taken into account: the extension runs only for `alert`, an alert sent as `background` is
  /// not shown, and pushes of other types are no notifications.
  ///
  /// The default is `true`.
  public var enforcesPushType = true
  /// Whether a push without a push type does not count as `alert`, as on watchOS.
  ///
  /// The default is `false`.
  public var requiresPushType = false
  /// The number of Live Activities that pushes may start; `nil` if it is not limited.
  ///
  /// A phone logs that its budget is exceeded after about ten pushes, and Apple's engineers call the budget fixed. When it
  /// grows again is not known: ``pushToStartWindow`` says it for the model. The default is 10.
  public var pushToStartBudget: Int? = 10
  /// The time, in whole seconds, after which a start no longer counts against ``pushToStartBudget``; `nil` if it counts
  /// forever.
  ///
  /// Apple's engineers speak of a number "in a short time", which they do not name. The default is `nil`, the
  /// strictest.
  public var pushToStartWindow: Duration?
  /// The number of pushes with priority 10 that update or end the app's Live Activities in an hour; `nil` if it is not
  /// limited.
  ///
  /// Apple documents that there is a budget, but not its size. The default is `nil`.
  public var activityUpdateBudget: Int?
  /// The number of pushes in a day that reload the app's widgets, and the number that reload its controls; `nil` if they
  /// are not limited.
  ///
  /// Apple documents that there is a budget, but not its size for pushes. The default is `nil`.
  public var reloadBudget: Int?
  /// Whether an interruption level that the app is not entitled to becomes `active`.
  ///
  /// The default is `true`.
  public var lowersUnentitledLevels = true
  /// Whether an extension with the filtering entitlement that does not reply suppresses the notification.
  ///
  /// The default is `true`. Verify it on a device before you rely on it.
  public var suppressesWithoutReply = true
  /// Whether attached files of the temporary folder are moved when the content handler is called.
  ///
  /// The default is `true`.
  public var movesTemporaryFiles = true
  /// Whether the initializer of an attachment throws error 100 for a file that cannot be read.
  ///
  /// Apple documents it, but newer systems do not check. The default is `true`.
  public var checksFileAtInit = true
  /// Whether an attached file that cannot be decoded is refused with error 105.
  ///
  /// Apple documents that corrupt files are not shown, but not which files count as corrupt. The host reads headers
  /// and lengths: an incomplete file, and a file of another kind of media, are refused. If `false`, the file is
  /// attached, and the trace describes its fault. The default is `true`.
  public var checksFileContent = true
  /// The number of bytes of a megabyte in the attachments' limits: 1,000,000 or 1,048,576.
  ///
  /// The default is 1,000,000, the stricter one.
  public var megabyte: Int64 = 1_000_000
  /// The maximum total size of an app's attachments in bytes; `nil` if it is not limited.
  ///
  /// Apple documents that there is a limit, but not its size. The default is `nil`.
  public var attachmentStorageLimit: Int64?
  /// Whether the original files of attachments are deleted after the delivery.
  ///
  /// The default is `true`.
  public var deletesOriginals = true

  /// Creates the default behavior.
  public init() {}
}
