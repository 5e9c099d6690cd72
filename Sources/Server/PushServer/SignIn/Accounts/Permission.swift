package import PushModel

/// An action that a role allows in an app.
package enum Permission: CaseIterable, Sendable {
  /// Read sends, campaigns, audiences and devices.
  case see
  case seeReports
  /// Write drafts and audiences, test them on a few devices, and submit them for approval.
  case write
  /// Pause and end what is being sent.
  case stop
  /// Start what somebody else has submitted, resume, and decide tests.
  case approve
  /// Send without another's approval.
  case send
  /// Erase the data of a device.
  case erase
  /// Change the app, its keys, webhooks and people, and read the audit log.
  case manage
}

extension Permission {
  /// A description of the permission for people who assign roles.
  var summary: String {
    switch self {
    case .see: "See sends, campaigns, audiences and devices"
    case .seeReports: "See reports"
    case .write: "Write drafts and audiences, test on few devices, submit for approval"
    case .stop: "Pause and end what is being sent"
    case .approve: "Start what somebody else submitted, resume, decide tests"
    case .send: "Send without another's approval"
    case .erase: "Erase a device"
    case .manage: "Settings, keys, people, audit log"
    }
  }
}

extension Account.Role {
  /// The permissions of the role; this is the only table of them.
  package var permissions: Set<Permission> {
    switch self {
    case .viewer: [.see, .seeReports]
    case .author: [.see, .seeReports, .write, .stop]
    case .approver: [.see, .seeReports, .write, .stop, .approve]
    case .admin: Set(Permission.allCases)
    }
  }

  /// The purpose of the role, as a form explains it.
  package var summary: String {
    switch self {
    case .viewer: "viewer: reads everything but settings"
    case .author: "author: writes, tests and submits for approval"
    case .approver: "approver: also starts what others have submitted"
    case .admin: "admin: everything, and settings"
    }
  }
}

extension APIKey.Role {
  /// The permissions of a key's holder, which are the same in the dashboard and the API.
  var permissions: Set<Permission> {
    switch self {
    case .admin, .server: Set(Permission.allCases)
    case .push: [.see, .write, .stop, .approve, .send, .erase]
    case .analytics: [.seeReports]
    case .device, .metrics: []
    }
  }
}

extension Account {
  /// The person's permissions in an app.
  func permissions(in app: String) -> Set<Permission> {
    grants.filter { $0.app == nil || $0.app == app }
      .reduce(into: []) { $0.formUnion($1.role.permissions) }
  }

  /// Whether an admin signs in with a password alone, so that a second factor is missing.
  var lacksSecondFactor: Bool {
    password != nil && secondFactor == nil && grants.contains { $0.role == .admin }
  }
}
