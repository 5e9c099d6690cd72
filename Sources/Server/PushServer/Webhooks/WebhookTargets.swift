import Foundation
package import NetworkAddresses

/// The private addresses and hosts that webhooks may call, as the operator of the server allows.
package struct WebhookTargets: Sendable {
  package enum Receiver: Sendable, Equatable {
    case range(AddressRange)
    /// A host name in lowercase, as it is written in a webhook's URL.
    case host(String)

    /// Reads an address, a range or a host name; `nil` if the text is none of these.
    package init?(_ text: String) {
      if let range = AddressRange(text) {
        self = .range(range)
        return
      }
      let host = text.lowercased()
      let isName = host.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      }
      guard isName, (1...253).contains(host.utf8.count),
        host.utf8.contains(where: { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
      else { return nil }
      self = .host(host)
    }
  }

  private let receivers: [Receiver]

  /// Allows these receivers; without any, webhooks can call only public addresses.
  package init(_ receivers: [Receiver] = []) { self.receivers = receivers }

  /// Whether a webhook with this host may connect to a private address.
  func admits(host: String, address: String) -> Bool {
    receivers.contains { receiver in
      switch receiver {
      case .range(let range): range.contains(address)
      case .host(let name): name == host.lowercased()
      }
    }
  }

  /// Whether a URL with this host may be stored if the host is private.
  func admits(host: String) -> Bool {
    admits(host: host, address: host.trimmingCharacters(in: ["[", "]"]))
  }
}
