import MartletKit
import MartletKitUI
import SwiftUI
import UserNotifications

struct ShopView: View {
  let push: PushDevice
  @State private var user = ""
  @State private var problem: String?
  @State private var hasConsent = Shop.hasConsent
  @State private var wantsNews = false
  @Environment(\.scenePhase) private var phase
  @Environment(\.openURL) private var openURL

  var body: some View {
    NavigationStack {
      List {
        if let problem { Text(problem) }
        Section("Notifications") {
          Toggle("Notify me", isOn: Binding(get: { hasConsent }, set: { agree($0) }))
          Toggle("News", isOn: Binding(get: { wantsNews }, set: { tag($0) }))
          NavigationLink {
            MessagesView(push: push)
          } label: {
            Text("Messages")
          }
        }
        Section("Account") {
          TextField("Name", text: $user)
          Button("Sign in") { signIn() }
          Button("Sign out") { signOut() }
        }
        Section("Order") {
          Button("Buy an umbrella") { buy() }
        }
      }
      .navigationTitle("Shop")
    }
    .onOpening(of: push) { opening in
      if let id = opening.messageID { Task { await push.inbox.markRead([id]) } }
      if let link = opening.link, let url = URL(string: link) { openURL(url) }
    }
    .task(id: phase) {
      guard phase == .active else { return }
      await push.activate()
      await push.refreshPermission()
    }
  }

  /// Runs a call, and shows its error.
  private func run(_ call: @escaping @MainActor () async throws -> Void) {
    Task {
      do {
        problem = nil
        try await call()
      } catch {
        problem = "\(error)"
      }
    }
  }

  private func agree(_ isAgreed: Bool) {
    (hasConsent, Shop.hasConsent) = (isAgreed, isAgreed)
    run {
      guard isAgreed else { return try await push.stop() }
      await push.start()
      _ = try await push.requestPermission([.alert, .badge, .sound])
    }
  }

  private func tag(_ isAdded: Bool) {
    wantsNews = isAdded
    run {
      await push.update { profile in
        if isAdded { profile.tags.insert("news") } else { profile.tags.remove("news") }
      }
    }
  }

  private func signIn() {
    run {
      let token = try await Shop.userToken(for: user)
      try await push.signIn(user, proof: token)
    }
  }

  private func signOut() {
    run {
      if #available(iOS 16.2, *) { await OrderAttributes.endAll() }
      await push.signOut()
    }
  }

  private func buy() {
    run {
      try await push.record("bought", items: [PurchasedItem(name: "Umbrella", price: 1900)])
      if #available(iOS 16.2, *) { try OrderAttributes.begin("order-7") }
    }
  }
}
