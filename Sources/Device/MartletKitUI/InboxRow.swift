#if canImport(SwiftUI) && canImport(Darwin)
  import Foundation
  import MartletKit
  import SwiftUI

  /// One message: its picture, title, text and date, side by side, or below each other at accessibility sizes.
  struct InboxRow: View {
    let message: InboxMessage
    let picture: URL?
    let unread: LocalizedStringKey
    @ScaledMetric private var pictureSize: CGFloat = 56
    @Environment(\.dynamicTypeSize) private var textSize

    var body: some View {
      Group {
        if textSize.isAccessibilitySize {
          VStack(alignment: .leading, spacing: 8) { parts }
        } else {
          HStack(alignment: .top, spacing: 12) { parts }
        }
      }
      .frame(maxWidth: .infinity, alignment: .leading)
      // The space beside the texts is a part of the button too.
      .contentShape(Rectangle())
      .accessibilityElement(children: .combine)
    }

    @ViewBuilder private var parts: some View {
      if let picture {
        AsyncImage(url: picture) { image in
          image.resizable().scaledToFill()
        } placeholder: {
          Color.secondary.opacity(0.2)
        }
        .frame(width: pictureSize, height: pictureSize)
        .clipShape(RoundedRectangle(cornerRadius: 8))
        .accessibilityHidden(true)
      }
      VStack(alignment: .leading, spacing: 4) {
        HStack(alignment: .firstTextBaseline, spacing: 6) {
          if !message.isRead {
            Image(systemName: "circle.fill")
              .font(.caption2)
              .foregroundStyle(Color.accentColor)
              .accessibilityLabel(Text(unread))
          }
          Text(message.title).font(.headline)
        }
        if let text = message.text { Text(text).font(.subheadline) }
        Text(message.publishedAt, style: .date).font(.caption).foregroundStyle(Color.secondary)
      }
    }
  }
#endif
