/// Something that is done to a simulated world at a time.
struct SimulationEvent: Hashable, Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    /// A phone opens the app: it registers, or tells the server what has changed.
    case phone(Int, PhoneChange)
    case send(NewSend)
    case pause(send: Int)
    case resume(send: Int)
    case cancel(send: Int)
    case campaign(NewCampaign)
    case campaignOrder(CampaignOrder, campaign: Int)
    /// Something happens in the app on a phone.
    case happen(AppEvent, phone: Int)
    /// The node dies at a change of its disk, and starts again after some seconds.
    case death(Death)
    /// Apple is out of reach for some seconds.
    case outage(seconds: Int)
    /// The node's clock is set forward or back.
    case clock(seconds: Int)
  }

  enum PhoneChange: Hashable, Sendable {
    /// The phone has the app for the first time, or again, and a new token.
    case install(group: Int, zone: Int, isDevelopment: Bool)
    case newToken
    case move(group: Int)
    case optOut
    case optIn
    /// The app is removed, which the server learns only from Apple.
    case uninstall
  }

  struct NewSend: Hashable, Sendable {
    var number: Int
    /// The group that gets it; `nil` sends to everyone.
    var group: Int?
    /// The second, from the beginning, at which it is due; `nil` sends it at once.
    var due: Int?
    var isCampaign: Bool
    var obeysCaps: Bool
    var obeysQuiet: Bool
    var throttle: Int?
  }

  struct Death: Hashable, Sendable {
    /// The number of changes of the disk before it, or of transactions of a node with others.
    var changes: Int
    var isPowerFailure: Bool
    var downtime: Int
    /// The number of changes until the next death, counted from the start; `nil` if there is none.
    var again: Int?
  }

  /// The milliseconds from the beginning.
  var time: Int
  var kind: Kind

  var description: String { "\(time): \(kind)" }
}
