import Foundation
import PushPayload
import Testing

@testable import MartletKit

@Suite("The phone's half of the question why a notification was not shown")
struct DiagnosticsTests {
  private func value(_ title: String, _ diagnostics: PushDiagnostics) -> String? {
    diagnostics.facts.first { $0.title == title }?.value
  }

  private func faults(_ diagnostics: PushDiagnostics) -> [String] {
    diagnostics.facts.filter(\.isFault).map(\.title)
  }

  @Test("a registered phone has its identifier as the code, and no token among the facts")
  func registered() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([0xab, 0xcd]))
    push.reportPermission(.allowed)
    push.reportSettings(["authorization": "authorized", "lock_screen": true, "badges": true])
    await push.synchronize()
    let diagnostics = push.diagnostics()
    #expect(diagnostics.supportCode == phone.record?.id)
    #expect(value("Push token", diagnostics) == "registered")
    #expect(value("Notifications", diagnostics) == "allowed")
    #expect(value("Lock screen", diagnostics) == "on")
    #expect(faults(diagnostics).isEmpty, "\(diagnostics)")
    #expect(!"\(diagnostics)".contains("abcd"))
    #expect(Set(diagnostics.facts.map(\.id)).count == diagnostics.facts.count)
  }

  @Test("what keeps a notification from being shown is marked")
  func marked() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.reportPermission(.denied)
    push.reportSettings([
      "lock_screen": false, "scheduled_summary": true, "time_sensitive": true, "sounds": false,
      "badges": false,
    ])
    await push.synchronize()
    let diagnostics = push.diagnostics()
    #expect(
      faults(diagnostics) == ["Push token", "Notifications", "Lock screen", "Scheduled summary"])
    #expect(value("Push token", diagnostics) == "missing")
    #expect(value("Notifications", diagnostics) == "not allowed")
  }

  @Test("a device that was not started has no code, and says so")
  func off() {
    let diagnostics = PushDiagnostics(of: nil, PushStatus(.off))
    #expect(diagnostics.supportCode == nil && faults(diagnostics) == ["Server"])
  }
}
