import PushModel
import Synchronization

/// What all phones and callers of a world know.
final class Records: Sendable {
  private let phones: Mutex<[PhoneRecord]>
  private let sends = Mutex<[Int: SendRecord]>([:])
  private let campaigns = Mutex<[Int: CampaignRecord]>([:])
  private let happened = Mutex<[AppEventRecord]>([])

  private let receipts = Mutex<Set<ReceiptRecord>>([])

  init(phones: Int) { self.phones = Mutex(Array(repeating: PhoneRecord(), count: phones)) }

  func phone(_ number: Int) -> PhoneRecord { phones.withLock { $0[number] } }
  func allPhones() -> [PhoneRecord] { phones.withLock(\.self) }
  func change<T>(phone number: Int, _ body: (inout PhoneRecord) -> T) -> T {
    phones.withLock { body(&$0[number]) }
  }

  func send(_ number: Int) -> SendRecord? { sends.withLock { $0[number] } }
  /// All sends, by their numbers.
  func allSends() -> [(number: Int, send: SendRecord)] {
    sends.withLock { $0.sorted { $0.key < $1.key }.map { (number: $0.key, send: $0.value) } }
  }
  func add(_ send: SendRecord, as number: Int) { sends.withLock { $0[number] = send } }
  func change(send number: Int, _ body: (inout SendRecord) -> Void) {
    sends.withLock { sends in
      guard var send = sends[number] else { return }
      body(&send)
      sends[number] = send
    }
  }

  func campaign(_ number: Int) -> CampaignRecord? { campaigns.withLock { $0[number] } }
  /// All campaigns that were started, by their numbers.
  func startedCampaigns() -> [(number: Int, campaign: CampaignRecord)] {
    campaigns.withLock { campaigns in
      campaigns.filter { $0.value.started != nil }.sorted { $0.key < $1.key }
        .map { (number: $0.key, campaign: $0.value) }
    }
  }
  func add(_ campaign: CampaignRecord) {
    campaigns.withLock { $0[campaign.new.number] = campaign }
  }
  func change(campaign number: Int, _ body: (inout CampaignRecord) -> Void) {
    campaigns.withLock { campaigns in
      guard var campaign = campaigns[number] else { return }
      body(&campaign)
      campaigns[number] = campaign
    }
  }

  /// The receipts that the server has taken.
  var takenReceipts: Set<ReceiptRecord> { receipts.withLock(\.self) }
  func add(_ taken: [ReceiptRecord]) { receipts.withLock { $0.formUnion(taken) } }

  /// What has happened in the app, in the order of the first requests.
  func appEvents() -> [AppEventRecord] { happened.withLock(\.self) }
  /// - Returns: The place of the event.
  func add(_ event: AppEventRecord) -> Int {
    happened.withLock { events in
      events.append(event)
      return events.count - 1
    }
  }
  func answer(event place: Int, at now: Timestamp) {
    happened.withLock { $0[place].answered = now }
  }
}
