#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import PushPayload
  import UserNotifications

  /// The system's content handler, called with an ``EnrichedContent``.
  ///
  /// `@unchecked Sendable`: UserNotifications is not annotated. The original content is immutable; the
  /// mutable copy is created, changed and passed on inside one call of `deliver`, which the engine calls
  /// once. The handler may be called from any thread (Apple, `didReceive(_:withContentHandler:)`).
  struct ContentHandler: @unchecked Sendable {
    let original: UNNotificationContent
    let handler: (UNNotificationContent) -> Void
    private let made = Locked<[URL: Made]>([:])

    init(original: UNNotificationContent, handler: @escaping (UNNotificationContent) -> Void) {
      self.original = original
      self.handler = handler
    }

    /// Makes the attachment of a file, which ``deliver(_:)`` adds to the content.
    @Sendable func attach(_ media: AttachedMedia) throws(MediaFailure) {
      let attachment: UNNotificationAttachment
      do {
        attachment = try UNNotificationAttachment(
          identifier: media.identifier, url: media.file, options: media.options)
      } catch {
        throw MediaFailure(refusal: error, of: media)
      }
      let made = Made(attachment)
      self.made.withLock { $0[media.file] = made }
    }

    @Sendable func deliver(_ enriched: EnrichedContent) {
      guard let content = original.mutableCopy() as? UNMutableNotificationContent else {
        return handler(original)
      }
      if enriched.isWithheld { content.removePayload() }
      if let decrypted = enriched.decrypted { content.apply(decrypted) }
      content.title = enriched.text.title
      content.subtitle = enriched.text.subtitle
      content.body = enriched.text.body
      if let badge = enriched.badge { content.badge = NSNumber(value: badge) }
      if let category = enriched.categoryIdentifier { content.categoryIdentifier = category }
      let made = made.withLock { $0 }
      content.attachments += enriched.attachments.compactMap { made[$0.file]?.attachment }
      handler(enriched.addingSender(to: content))
    }
  }

  /// `@unchecked Sendable`: an attachment is immutable.
  private struct Made: @unchecked Sendable {
    let attachment: UNNotificationAttachment
    init(_ attachment: UNNotificationAttachment) { self.attachment = attachment }
  }

  extension MediaFailure {
    /// The system's refusal of a file that is of a supported type and within its limit.
    fileprivate init(refusal error: any Error, of media: AttachedMedia) {
      let reason: Reason =
        switch (error as? UNError)?.code {
        case .attachmentUnrecognizedType?: .unsupportedType
        case .attachmentInvalidFileSize?: .tooLarge
        default: .storage
        }
      let code = (error as NSError).code
      self.init(
        reason, "the system refuses the attachment (error \(code))", status: media.status,
        bytes: media.bytes)
    }
  }

  extension EnrichedContent {
    /// The content with the sender of a communication notification, if there is one.
    fileprivate func addingSender(to content: UNNotificationContent) -> UNNotificationContent {
      #if canImport(Darwin) && canImport(Intents) && !os(macOS)
        sender?.updating(content, with: attachments) ?? content
      #else
        content
      #endif
    }
  }

  extension IncomingNotification {
    /// Creates a notification from the request that the system passes to the extension.
    init(_ request: UNNotificationRequest) {
      self.init(
        payload: JSONValue(userInfo: request.content.userInfo),
        text: NotificationText(
          title: request.content.title, subtitle: request.content.subtitle,
          body: request.content.body),
        category: request.content.categoryIdentifier, identifier: request.identifier)
    }
  }

  extension UNMutableNotificationContent {
    /// Removes the values that the system has read from a payload that must not be shown.
    ///
    /// A sound is replaced by the default sound, so that a person still notices the notification.
    fileprivate func removePayload() {
      userInfo = [:]
      badge = nil
      sound = sound == nil ? nil : .default
      attachments = []
      categoryIdentifier = ""
      threadIdentifier = ""
      targetContentIdentifier = nil
      filterCriteria = nil
      interruptionLevel = .active
      relevanceScore = 0
    }

    /// Applies the keys of a decrypted payload other than the text.
    ///
    /// Values that the payload lacks stay as they arrived.
    fileprivate func apply(_ payload: JSONValue) {
      userInfo = payload.userInfo
      let aps = APNsPayload(payload).aps
      if let sound = aps.sound { self.sound = .named(sound) }
      if let thread = aps.threadID { threadIdentifier = thread }
      if let target = aps.targetContentID { targetContentIdentifier = target }
      if let score = aps.relevanceScore { relevanceScore = min(max(score, 0), 1) }
      switch aps.interruptionLevel {
      case .passive?: interruptionLevel = .passive
      case .active?: interruptionLevel = .active
      case .timeSensitive?: interruptionLevel = .timeSensitive
      case .critical?: interruptionLevel = .critical
      default: break
      }
    }
  }

  extension UNNotificationSound {
    /// The sound that the key `sound` describes.
    ///
    /// A watch has no named sounds and plays the default one in their place.
    ///
    /// Source: Apple, "Generating a remote notification".
    fileprivate static func named(_ sound: APS.Sound) -> UNNotificationSound {
      let volume = sound.volume.map(Float.init)
      #if !os(watchOS)
        if sound.name != "default" {
          let name = UNNotificationSoundName(sound.name)
          guard sound.isCritical else { return UNNotificationSound(named: name) }
          return volume.map { .criticalSoundNamed(name, withAudioVolume: $0) }
            ?? .criticalSoundNamed(name)
        }
      #endif
      guard sound.isCritical else { return .default }
      return volume.map { .defaultCriticalSound(withAudioVolume: $0) } ?? .defaultCritical
    }
  }

  extension AttachedMedia {
    /// The options of `UNNotificationAttachment.init(identifier:url:options:)`.
    fileprivate var options: [AnyHashable: Any]? {
      var options: [AnyHashable: Any] = [:]
      options[UNNotificationAttachmentOptionsThumbnailHiddenKey] = thumbnail.isHidden
      options[UNNotificationAttachmentOptionsThumbnailTimeKey] = thumbnail.time
      // The form of CGRectCreateDictionaryRepresentation.
      options[UNNotificationAttachmentOptionsThumbnailClippingRectKey] =
        thumbnail.clippingRect.map {
          ["X": $0.x, "Y": $0.y, "Width": $0.width, "Height": $0.height]
        }
      return options.isEmpty ? nil : options
    }
  }
#endif
