import PushModel
import Synchronization

/// What all phones and callers of a world know.
final class Records: Sendable {
  private let phones: Mutex<[PhoneRecord]>
  private let sends = Mutex<[Int: SendRecord]>([:])

  init(phones: Int) { self.phones = Mutex(Array(repeating: PhoneRecord(), count: phones)) }

  func phone(_ number: Int) -> PhoneRecord { phones.withLock { $0[number] } }
  func allPhones() -> [PhoneRecord] { phones.withLock(\.self) }
  func change<T>(phone number: Int, _ body: (inout PhoneRecord) -> T) -> T {
    phones.withLock { body(&$0[number]) }
  }

  func send(_ number: Int) -> SendRecord? { sends.withLock { $0[number] } }
  /// All sends, by their numbers.
  func allSends() -> [SendRecord] {
    sends.withLock { $0.values.sorted { $0.new.number < $1.new.number } }
  }
  func add(_ send: SendRecord) { sends.withLock { $0[send.new.number] = send } }
  func change(send number: Int, _ body: (inout SendRecord) -> Void) {
    sends.withLock { sends in
      guard var send = sends[number] else { return }
      body(&send)
      sends[number] = send
    }
  }
}
