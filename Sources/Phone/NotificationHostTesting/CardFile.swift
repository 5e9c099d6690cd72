import Foundation
import NotificationCards
import NotificationHost
import PhoneCards

/// The file with the card that a person sees of a push, or with the reason why there is none.
struct CardFile {
  /// `card.png`, or `card.txt` for a reason.
  let name: String
  let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  private init(_ reason: String) {
    self.init("card.txt", Array("There is no card: \(reason)\n".utf8))
  }

  /// Draws the card, collapsed and expanded, and blocks meanwhile.
  ///
  /// - Parameters:
  ///   - report: The result of the push; `nil` while it is on its way.
  ///   - appGroup: The app group's container.
  ///   - program: The command line of the program that draws; `nil` if there is none.
  init(_ report: DeliveryReport?, appGroup: URL?, program: [String]?) {
    guard let report else {
      self.init("the push is still on its way.")
      return
    }
    let delivery = SimulatedDelivery(report: report, appGroup: appGroup)
    let now = Date().timeIntervalSince1970
    guard let card = NotificationCard(delivery, appName: "App", delivered: now) else {
      self.init("the person sees nothing, since the push is \(report.outcome.rawValue).")
      return
    }
    guard let program else {
      self.init(
        "no program that draws is on PATH or beside the program of the tests. Install the package "
          + "martlet with what it recommends, or add the folder of a built martlet to PATH.")
      return
    }
    do throws(CardError) {
      let process = CardProcess(program: program, reading: card.folders)
      let views: [NotificationCard.View] = [.collapsed, .expanded]
      self.init("card.png", try process.blockingPNG(card, views, style: CardStyle()))
    } catch {
      self.init("\(program[0]) did not draw it: \(error.message).")
    }
  }
}

extension NotificationCard {
  /// The folders of the card's files.
  fileprivate var folders: [String] {
    let paths = attachments.map(\.path) + (template.map { Array($0.files.values) } ?? [])
    let folders = paths.filter { !$0.isEmpty }.map {
      URL(filePath: $0).deletingLastPathComponent().path(percentEncoded: false)
    }
    return Set(folders).sorted()
  }
}
