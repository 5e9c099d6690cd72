/// What Apple does not document, or documents otherwise than it works: each a switch.
///
/// `docs/ios-model.md` says which rule a switch belongs to, and from where the rule is known.
public struct HostBehavior: Hashable, Sendable {
  /// The time from launch to the end.
  ///
  /// Apple: "no more than 30 seconds". Default 30 s.
  public var timeLimit: Duration = .seconds(30)
  /// How long before the end `serviceExtensionTimeWillExpire` is called.
  ///
  /// Default 1 s.
  public var expiryGrace: Duration = .seconds(1)
  /// Whether a debugger is attached to the extension, which then has no end to its time.
  ///
  /// Default off. With it on, an extension that never replies is waited for without end.
  public var isDebugging = false
  /// Whether one instance of the principal class serves all notifications.
  ///
  /// Apps have seen it on old systems. Default off.
  public var reusesInstance = false
  /// Whether a service extension that names categories runs for those alone.
  ///
  /// Apple's page on `categoryIdentifier` suggests it, practice contradicts it. Default off.
  public var categoryGatesServiceExtension = false
  /// Whether a push type that the sender names decides: the extension runs for `alert` alone, and an
  /// alert sent as `background` is not shown.
  ///
  /// Default on.
  public var enforcesPushType = true
  /// Whether a message without a push type counts as none of type `alert`, as on a watch.
  ///
  /// Default off.
  public var requiresPushType = false
  /// Whether a level that the app is not entitled to becomes `active`.
  ///
  /// Default on.
  public var lowersUnentitledLevels = true
  /// Whether an extension with the filtering entitlement that does not reply suppresses the original.
  ///
  /// Default on; see it on a device before relying on it.
  public var suppressesWithoutReply = true
  /// Whether attached files of the temporary folder are moved away at the call of the handler.
  ///
  /// Default on.
  public var movesTemporaryFiles = true
  /// Whether the initialiser of an attachment throws 100 for a file that cannot be read.
  ///
  /// Documented, while newer systems are known not to look. Default on.
  public var checksFileAtInit = true
  /// How many bytes a megabyte of the attachments' limits has: 1,000,000 or 1,048,576.
  ///
  /// Default 1,000,000, the stricter.
  public var megabyte: Int64 = 1_000_000
  /// How many bytes the attachments of an app may fill in all; `nil` for any number.
  ///
  /// Apple documents a limit and does not publish it. Default `nil`.
  public var attachmentStorageLimit: Int64?
  /// Whether the originals of attached files are deleted after delivery.
  ///
  /// Default on.
  public var deletesOriginals = true

  /// The defaults.
  public init() {}
}
