#if canImport(SwiftUI) && canImport(Darwin)
  public import MartletKit
  public import SwiftUI

  /// The phone's own half of the question why a notification was not shown, as a list with a code to give to support.
  ///
  /// Put it on a support page, or behind a gesture in a build for testers. It reads what is stored on the phone, and tells the
  /// server the app's settings of now. A fact that can be the reason is marked by a symbol, not by its color alone.
  public struct PushDiagnosticsList: View {
    private let push: PushDevice?
    private let heading: LocalizedStringKey
    @State private var diagnostics: PushDiagnostics

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - push: The device.
    ///   - heading: The heading of the code, such as “Code for support”.
    public init(_ push: PushDevice, heading: LocalizedStringKey) {
      self.push = push
      self.heading = heading
      _diagnostics = State(initialValue: push.diagnostics())
    }

    /// Creates a list of facts that are given, which reads and sends nothing: for a preview or a picture.
    ///
    /// - Parameters:
    ///   - diagnostics: The facts.
    ///   - heading: The heading of the code.
    public init(preview diagnostics: PushDiagnostics, heading: LocalizedStringKey) {
      push = nil
      self.heading = heading
      _diagnostics = State(initialValue: diagnostics)
    }

    /// The list.
    public var body: some View {
      List {
        if let code = diagnostics.supportCode {
          Section(heading) {
            Text(verbatim: code)
              #if !os(watchOS)
                .textSelection(.enabled)
              #endif
          }
        }
        ForEach(diagnostics.facts) { fact in row(fact) }
      }
      .refreshable { await refresh() }
      .task { await refresh() }
    }

    private func row(_ fact: PushDiagnostics.Fact) -> some View {
      VStack(alignment: .leading, spacing: 2) {
        Text(LocalizedStringKey(fact.title)).font(.subheadline)
        HStack(alignment: .firstTextBaseline, spacing: 6) {
          if fact.isFault {
            Image(systemName: "exclamationmark.triangle").accessibilityHidden(true)
          }
          Text(verbatim: fact.value).foregroundStyle(Color.secondary)
        }
      }
      .accessibilityElement(children: .combine)
    }

    private func refresh() async {
      guard let push else { return }
      await push.refreshPermission()
      diagnostics = push.diagnostics()
    }
  }
#endif
