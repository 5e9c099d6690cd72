#if canImport(ObjectiveC) && canImport(UserNotifications) && !os(tvOS)
  public import Foundation
  public import MartletKit
  import PushPayload
  public import UserNotifications

  /// `PushDevice` for projects in Objective-C, as `MARPushDevice`.
  ///
  /// Its calls return at once and take effect in their order; those for the system's callbacks are on disk when they return. A
  /// project with a part in Swift calls ``device`` there for all else, such as the inbox and Live Activities.
  @objc(MARPushDevice)
  public final class PushDeviceBridge: NSObject, Sendable {
    /// The device.
    public let device: PushDevice
    private let calls: AsyncStream<@Sendable () async -> Void>.Continuation
    private let openings = Locked<Task<Void, Never>?>(nil)

    /// Creates a device, and reads, writes and sends nothing.
    ///
    /// - Parameters:
    ///   - server: The server's address.
    ///   - key: A key of role `device`.
    ///   - folder: The folder for the device's files, with a service extension the app group's container.
    @objc(initWithServer:key:folder:)
    public init(server: URL, key: String, folder: URL) {
      device = PushDevice(PushSettings(server: server, key: key, folder: folder))
      let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
      calls = continuation
      super.init()
      Task { for await call in stream { await call() } }
    }

    deinit {
      calls.finish()
      openings.withLock { $0?.cancel() }
    }

    // MARK: Life

    /// Registers this device, or continues with the stored one.
    ///
    /// Call it at each start, once the person has agreed.
    @objc public func start() { perform { await $0.start() } }

    /// Reports that the app came to the foreground, and whether the person allows notifications now.
    @objc public func activate() {
      perform { device in
        await device.activate()
        await device.refreshPermission()
      }
    }

    /// Tells the server whether the person allows notifications, as after the app has asked.
    @objc public func refreshPermission() { perform { await $0.refreshPermission() } }

    /// Withdraws the push token from the server, and sends nothing afterwards.
    ///
    /// - Parameter completion: Called with the error if the server has not confirmed it.
    @objc(stopWithCompletion:)
    public func stop(completion: @escaping @Sendable ((any Error)?) -> Void) {
      perform(completion) { try await $0.stop() }
    }

    /// Erases this device at the server and here.
    ///
    /// - Parameter completion: Called with the error if the server has not confirmed it.
    @objc(eraseWithCompletion:)
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
      perform(completion) { try await $0.erase() }
    }

    // MARK: The system's callbacks

    /// Sets the push token.
    ///
    /// - Parameter token: The token, as the application's delegate gets it.
    @objc(didRegisterForRemoteNotificationsWithDeviceToken:)
    public func didRegister(token: Data) { device.setToken(token) }

    /// Reports that the system gave no push token.
    ///
    /// - Parameter error: The system's error.
    @objc(didFailToRegisterForRemoteNotificationsWithError:)
    public func didFailToRegister(error: any Error) { device.reportTokenFailure(error) }

    /// Records a person's response to a notification; call it before the completion handler.
    ///
    /// - Parameter response: The response.
    /// - Returns: Whether it is a tap on a notification of this server.
    @discardableResult
    @objc(didReceiveNotificationResponse:)
    public func didReceive(_ response: UNNotificationResponse) -> Bool {
      device.recordOpening(response) != nil
    }

    /// Records that a notification was shown while the app was in the foreground.
    ///
    /// - Parameter notification: The notification.
    /// - Returns: Whether it is one of this server.
    @discardableResult
    @objc(willPresentNotification:)
    public func willPresent(_ notification: UNNotification) -> Bool {
      device.recordPresentation(notification)
    }

    /// Calls a block on the main thread with each tap, also with those that came before, in place of an earlier block.
    ///
    /// - Parameter handler: The block.
    @objc(setOpeningHandler:)
    public func setOpeningHandler(_ handler: @escaping @MainActor @Sendable (OpeningBridge) -> Void)
    {
      let device = device
      let task = Task { @MainActor in
        for await opening in device.openings { handler(OpeningBridge(opening)) }
      }
      openings.withLock { running in
        running?.cancel()
        running = task
      }
    }

    // MARK: The person

    /// Tells the server the user of this device.
    ///
    /// - Parameters:
    ///   - user: The user's identifier, 1 to 255 characters.
    ///   - email: The user's e-mail address; `nil` if it is not known.
    ///   - proof: The user token; `nil` if the app's `identity` is not `required`.
    ///   - completion: Called when the user is stored, or with the error if the identifier is invalid.
    @objc(signInUser:email:proof:completion:)
    public func signIn(
      _ user: String, email: String?, proof: String?,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
      perform(completion) { try await $0.signIn(user, email: email, proof: proof) }
    }

    /// Removes the user from the device.
    @objc public func signOut() { perform { await $0.signOut() } }

    /// Adds a tag.
    ///
    /// - Parameter tag: The tag, 1 to 255 characters.
    @objc(addTag:)
    public func addTag(_ tag: String) { perform { await $0.update { $0.tags.insert(tag) } } }

    /// Removes a tag.
    ///
    /// - Parameter tag: The tag.
    @objc(removeTag:)
    public func removeTag(_ tag: String) { perform { await $0.update { $0.tags.remove(tag) } } }

    /// Sets an attribute of the user to a text, or removes it.
    ///
    /// - Parameters:
    ///   - text: The text; `nil` removes the attribute.
    ///   - name: The attribute's name.
    @objc(setText:forAttribute:)
    public func setText(_ text: String?, forAttribute name: String) {
      perform { await $0.update { $0[name] = text.map(AttributeValue.string) } }
    }

    /// Sets an attribute of the user to a whole number.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - name: The attribute's name.
    @objc(setInteger:forAttribute:)
    public func setInteger(_ number: Int, forAttribute name: String) {
      perform { await $0.update { $0[name] = .integer(number) } }
    }

    /// Records an event.
    ///
    /// - Parameter name: The event's name, 1 to 255 characters.
    @objc(recordEvent:)
    public func record(_ name: String) { perform { try? await $0.record(name) } }

    // MARK: Calls

    private func perform(_ call: @escaping @Sendable (PushDevice) async -> Void) {
      let device = device
      calls.yield { await call(device) }
    }

    private func perform(
      _ completion: @escaping @Sendable ((any Error)?) -> Void,
      _ call: @escaping @Sendable (PushDevice) async throws -> Void
    ) {
      perform { device in
        do {
          try await call(device)
          completion(nil)
        } catch {
          completion(error)
        }
      }
    }
  }

  /// `Opening` for projects in Objective-C, as `MAROpening`.
  @objc(MAROpening)
  public final class OpeningBridge: NSObject, Sendable {
    /// The tap.
    public let opening: Opening
    /// The notification's identifier at the server.
    @objc public var notificationID: String { opening.notificationID }
    /// The identifier of the message in the inbox; `nil` if the notification announces no message.
    @objc public var messageID: String? { opening.messageID }
    /// The identifier of the button; `nil` for the notification itself.
    @objc public var action: String? { opening.action }
    /// The text that the person typed; `nil` if the button has no text field.
    @objc public var text: String? { opening.text }
    /// The deep link that the payload asks to open; `nil` if the payload has no link.
    @objc public var link: String? { opening.link }

    init(_ opening: Opening) {
      self.opening = opening
      super.init()
    }
  }
#endif
