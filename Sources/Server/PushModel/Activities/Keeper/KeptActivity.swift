package import PushPayload

/// A Live Activity that the server keeps, as it is stored.
package struct KeptActivity: Hashable, Sendable {
  package var id: String
  package var app: String
  /// The name of the `ActivityAttributes` type.
  package var type: String
  /// The members of the request from which pushes are made.
  package var content: JSONValue
  package var keeper: ActivityKeeper
  /// The ids of the sends whose answers the keeper waits for, by the numbers of its pushes.
  package var sends: [Int: String] = [:]
  /// The number of changes so far; a change is stored only onto the version that it began with.
  package var version = 0
  package var createdAt: Timestamp

  package init(
    id: String, app: String, type: String, content: JSONValue, keeper: ActivityKeeper,
    createdAt: Timestamp
  ) {
    (self.id, self.app, self.type) = (id, app, type)
    (self.content, self.keeper, self.createdAt) = (content, keeper, createdAt)
  }
}

/// A change of a kept activity, which is stored in one transaction with its sends.
package struct KeeperChange: Sendable {
  /// The activity after the change, with the version before it; 0 for a new one.
  package var kept: KeptActivity
  /// The time at which the runner is to look at it again; `nil` if only events lead on.
  package var dueAt: Timestamp?
  package var sends: [(send: Send, devices: DeviceNumbers)]
  /// The events of the activity's earlier sends that are canceled, unless they are being sent.
  ///
  /// If one is, the activity is due at once.
  package var withdrawn: Set<ActivityPush.Event> = []
  package var audience: Audience
  /// What phones have spent of their budgets by this change, and what they get back.
  package var spent: [PhoneBudget.Expense]
  package var returned: [PhoneBudget.Expense]
  /// The budgets on which the change was made, which all activities of a phone share.
  package var budgets: [UInt32: PhoneBudget]

  package init(
    _ kept: KeptActivity, dueAt: Timestamp?, sends: [(send: Send, devices: DeviceNumbers)],
    audience: Audience, before: [UInt32: PhoneBudget], after: [UInt32: PhoneBudget]
  ) {
    (self.kept, self.dueAt, self.sends, self.audience) = (kept, dueAt, sends, audience)
    budgets = before
    let (old, new) = (PhoneBudget.expenses(of: before), PhoneBudget.expenses(of: after))
    (spent, returned) = (Array(new.subtracting(old)), Array(old.subtracting(new)))
  }
}

extension PhoneBudget {
  /// A push that counts against a budget, as it is stored.
  package struct Expense: Hashable, Sendable {
    package enum Kind: String, Sendable { case start, urgent }
    package var device: UInt32
    package var kind: Kind
    package var at: Timestamp

    package init(device: UInt32, kind: Kind, at: Timestamp) {
      (self.device, self.kind, self.at) = (device, kind, at)
    }
  }

  static func expenses(of budgets: [UInt32: PhoneBudget]) -> Set<Expense> {
    var expenses: Set<Expense> = []
    for (device, budget) in budgets {
      for time in budget.starts {
        expenses.insert(Expense(device: device, kind: .start, at: time))
      }
      for time in budget.urgent {
        expenses.insert(Expense(device: device, kind: .urgent, at: time))
      }
    }
    return expenses
  }

  /// Adds a stored expense; they come in the order of their times.
  package mutating func add(_ expense: Expense) {
    switch expense.kind {
    case .start: starts.append(expense.at)
    case .urgent: urgent.append(expense.at)
    }
  }
}
