import Foundation
import MediaLoading
import NotificationCards
import NotificationTemplates

extension SimulateCommand {
  /// The options of `martlet simulate`.
  enum Options {
    static let pushType = Option(
      "--push-type", .oneOf(["alert", "background", "liveactivity"]), default: "alert",
      help: "the apns-push-type")
    static let media = Option(
      repeated: "--media", mediaForm,
      help: "the file that a URL answers with; split at the last =")
    static let online = Option(flag: "--online", help: "fetch media from the real network")
    static let mediaCA = Option(
      "--media-ca", .file(), help: "PEM certificates to trust for media; with --online")
    static let mediaKey = Option(
      repeated: "--media-key", keyForm, help: "a media key of the app's own: data.picture")
    static let bundle = Option("--bundle", .folder, help: "the app's bundle, for media inside it")
    static let appGroup = Option(
      "--app-group", .folder, help: "the folder of the app group (default: one for each payload)")
    static let latency = Option(
      "--latency", .duration, default: "0s", help: "the time to the head of each scripted answer")
    static let bandwidth = Option(
      "--bandwidth", .rate, help: "the bandwidth of the scripted network (default unlimited)")
    static let timeLimit = Option(
      "--time-limit", .positiveDuration, help: "the time that the extension has (default 30s)")
    static let memoryLimit = Option(
      "--memory-limit", .size,
      help: "run the extension in a process of its own, killed above this (phones: 24MiB)")
    static let realTime = Option(
      flag: "--real-time", help: "wait as a phone does; otherwise the clock is virtual and jumps")
    static let category = Option(
      repeated: "--category", .text("ID"), help: "a category in the extension's Info.plist")
    static let filtering = Option(
      flag: "--filtering", help: "the extension has the filtering entitlement, and may suppress")
    static let privateKey = Option(
      "--private-key", .file(), help: "the device's keys as JSON, to decrypt encrypted payloads")
    static let requiresEncryption = Option(
      flag: "--requires-encryption", help: "the extension shows only what it has decrypted")
    static let render = Option(
      "--render", pngForm,
      help:
        "draw the notification, collapsed and expanded, or its template; of several payloads OUT-1.png …"
    )
    static let banner = Option(flag: "--banner", help: "draw the banner over an app in use, too")
    static let lockScreen = Option(
      flag: "--lock-screen", help: "draw the lock screen with its clock, in place of the list")
    static let look = Option(
      "--look", .oneOf(CardStyle.Look.names), default: "ios26",
      help: "the version of iOS whose look the card has")
    static let appearance = Option(
      "--appearance", .oneOf(["light", "dark"]), default: "light", help: "of the drawn card")
    static let textSize = Option(
      "--text-size", textSizeForm, default: "large", help: "of the drawn card")
    static let rightToLeft = Option(
      flag: "--right-to-left", help: "draw it as on a phone set to Arabic or Hebrew")
    static let keep = Option(
      "--keep", ValueForm<String>("DIR", completion: .folders) { $0.isEmpty ? nil : $0 },
      help: "keep the attached files in this folder; otherwise they are removed")
    static let expect = Option(
      "--expect", .file("FILE.json"),
      help: "compare the part of the stable JSON that FILE.json names, and print what differs")
    static let stable = Option(
      flag: "--stable",
      help: "fix what differs from run to run: times, memory and paths; --expect does so too")

    private static let mediaForm = ValueForm<ScriptedMedia>("URL=FILE", completion: .files) {
      ScriptedMedia($0)
    }
    private static let keyForm = ValueForm<String>(
      "KEY", takes: "keys joined by dots, none of them empty: data.picture"
    ) { text in
      text.split(separator: ".", omittingEmptySubsequences: false).contains { $0.isEmpty }
        ? nil : text
    }
    private static let pngForm = ValueForm<String>(
      "OUT.png", takes: "a file that ends in .png", completion: .files
    ) { $0.lowercased().hasSuffix(".png") ? $0 : nil }
    private static let textSizeForm = ValueForm<CardStyle.TextSize>(
      "SIZE", takes: textSizes.map(\.name).joined(separator: ", "),
      completion: .words(textSizes.map(\.name))
    ) { name in textSizes.first { $0.name == name }?.size }
  }

  /// A URL and the file with which it is answered, from `--media`.
  struct ScriptedMedia: Sendable {
    var url: String
    var file: URL

    init?(_ text: String) {
      guard let equals = text.lastIndex(of: "="), equals != text.startIndex,
        text.index(after: equals) != text.endIndex
      else { return nil }
      file = URL(fileURLWithPath: String(text[text.index(after: equals)...]))
      // The URL has the form in which the engine requests it.
      let url = String(text[..<equals])
      self.url = (try? MediaAddress(url))?.url?.absoluteString ?? url
    }
  }

  private static let textSizes: [(name: String, size: CardStyle.TextSize)] = [
    ("x-small", .xSmall), ("small", .small), ("medium", .medium), ("large", .large),
    ("x-large", .xLarge), ("xx-large", .xxLarge), ("xxx-large", .xxxLarge),
    ("accessibility-1", .accessibility1), ("accessibility-2", .accessibility2),
    ("accessibility-3", .accessibility3), ("accessibility-4", .accessibility4),
    ("accessibility-5", .accessibility5),
  ]
}
