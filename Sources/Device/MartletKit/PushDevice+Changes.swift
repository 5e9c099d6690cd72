import Foundation
import PushPayload

extension PushDevice {
  /// Changes the tags, the attributes and the keys of the device.
  ///
  /// ```swift
  /// await push.update { profile in
  ///   profile.tags = ["gold", "berlin"]
  ///   profile["visits"] = .integer(12)
  ///   profile["plan"] = nil
  /// }
  /// ```
  ///
  /// It returns when the change is on disk. Changes within a second are one request. Values that the server does not store are
  /// in ``PushStatus/problems``.
  ///
  /// - Parameter body: Changes the profile. It may be called later, and again, if the files cannot be read now.
  public func update(_ body: @escaping @Sendable (inout DeviceProfile) -> Void) async {
    change { record in
      let old = DeviceProfile(record)
      var new = old
      body(&new)
      new.apply(to: &record, since: old)
    }
  }

  /// Tells the server the user of this device.
  ///
  /// ```swift
  /// try await push.signIn("ada", email: "ada@example.com", proof: token)
  /// ```
  ///
  /// Call it once a person has signed in, with a token that your server has signed. An earlier user loses the device even if
  /// the token is refused. If the token is refused, or expires before it can be sent, ``PushStatus/problems`` has the path
  /// `$.device.user_id`: sign in again with a new token.
  ///
  /// - Parameters:
  ///   - userID: The user's identifier, 1 to 255 characters.
  ///   - email: The user's e-mail address, which the token must name too; `nil` if it is not known.
  ///   - proof: The user token; `nil` if the app's `identity` is not `required`.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` if the identifier is empty or too long.
  public func signIn(_ userID: String, email: String? = nil, proof: String?) async throws(PushError)
  {
    guard (1...255).contains(userID.unicodeScalars.count) else {
      throw PushError(.invalid, "a user's identifier has 1 to 255 characters")
    }
    forgetInbox(unlessOf: userID)
    change(isOfUser: true) { record in
      record.want(MemberKey.userID, .string(userID))
      record.want(MemberKey.userEmail, email.map(JSONValue.string))
      record.proof = proof
      // A new token may prove the user that an earlier token did not prove.
      record.refused[MemberKey.userID] = nil
      record.refused[MemberKey.userEmail] = nil
    }
  }

  /// Removes the user from the device, so that the user receives no push on it.
  ///
  /// It needs no token. The device keeps its tags.
  ///
  /// - Parameter clearingProfile: Whether tags and attributes are removed too.
  public func signOut(clearingProfile: Bool = false) async {
    forgetInbox(unlessOf: nil)
    change(isOfUser: true) { record in
      record.want(MemberKey.userID, nil)
      record.want(MemberKey.userEmail, nil)
      record.proof = nil
      guard clearingProfile else { return }
      let old = DeviceProfile(record)
      var new = old
      (new.tags, new.attributes) = ([], [:])
      new.apply(to: &record, since: old)
    }
  }

  /// Removes the messages of the user before.
  private func forgetInbox(unlessOf user: String?) {
    guard let record = (try? files.record()) ?? nil else { return }
    if record.wanted[MemberKey.userID]?.string != user { inboxBoard.forget() }
  }

  /// Records an event.
  ///
  /// ```swift
  /// try await push.record("bought", items: [PurchasedItem(name: "Umbrella", price: 1900)])
  /// ```
  ///
  /// It returns when the event is on disk, with the present time and an id by which the server counts it once. It belongs to the
  /// user who is signed in now: if another one signs in before it could be sent, it is sent before, or dropped if the server
  /// never knew of the first. At most 1,000 events wait; beyond that the oldest tenth is dropped.
  ///
  /// - Parameters:
  ///   - name: The event's name, 1 to 255 characters without quotes and backslashes.
  ///   - items: The items of a purchase, at most 100.
  ///   - notification: The identifier of the notification that led to the event; `nil` credits the one that opened the app last.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` if the event has no name or more than 8 KiB.
  public func record(
    _ name: String, items: [PurchasedItem] = [], notification: String? = nil
  ) async throws(PushError) {
    let event = StoredFact.event(
      name, id: environment.randomID(), items: items, notification: notification,
      at: environment.now())
    let bytes = event.json.serialized().count
    guard !name.isEmpty, bytes <= FactFiles.maximumBytes else {
      throw PushError(
        .invalid,
        name.isEmpty
          ? "an event has a name"
          : "the event has \(bytes) bytes; the limit is \(FactFiles.maximumBytes)")
    }
    memory.add([.event(event)])
    changed()
  }

  /// Reports whether the person allows notifications.
  ///
  /// With UserNotifications ``requestPermission(_:)`` and ``refreshPermission()`` call it.
  ///
  /// - Parameter permission: The permission.
  public func reportPermission(_ permission: Permission) {
    change { record in
      record.want(MemberKey.pushEnabled, .bool(permission.showsPushes))
      record.want(MemberKey.pushQuiet, .bool(permission == .quiet))
    }
  }

  /// Reports the app's notification settings, if ``PushSettings/reportsNotificationSettings`` allows it.
  func reportSettings(_ members: [String: JSONValue]) {
    let reports = settings.reportsNotificationSettings && !members.isEmpty
    change { record in
      record.want(MemberKey.notificationSettings, reports ? .object(members) : nil)
    }
  }

  /// Reports the number on the app's icon, which the server increases with later pushes.
  ///
  /// It also stores the number for the service extension. It does not change the icon; `setBadge(_:)` does both.
  ///
  /// - Parameter number: The number; a negative one counts as 0.
  public func reportBadge(_ number: Int) {
    let number = max(0, number)
    change { record in record.want(MemberKey.badge, .integer(Int64(number))) }
    let digits = String(number)
    let text = String(repeating: "0", count: BadgeFile.width - digits.utf8.count) + digits
    guard (try? files.record()) ?? nil != nil else { return }
    try? environment.storage.overwrite(Data(text.utf8), at: BadgeFile.path)
  }
}

/// The file of the number on the icon, which the service extension counts on.
enum BadgeFile {
  static let path = "badge"
  /// The number of digits, those of `Int.max`.
  static let width = 19
}
