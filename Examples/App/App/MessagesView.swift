import MartletKit
import MartletKitUI
import SwiftUI

struct MessagesView: View {
  let push: PushDevice
  @Environment(\.openURL) private var openURL

  var body: some View {
    InboxList(
      push.inbox,
      texts: InboxTexts(
        empty: "No messages", failed: "The messages cannot be loaded now.", remove: "Remove",
        unread: "Unread")
    ) { message in
      if let link = message.link, let url = URL(string: link) { openURL(url) }
    }
    .navigationTitle("Messages")
  }
}
