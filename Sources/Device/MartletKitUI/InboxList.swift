#if canImport(SwiftUI) && canImport(Darwin)
  public import Foundation
  public import MartletKit
  public import SwiftUI

  /// The messages of an inbox as a list, the one published last first.
  ///
  /// A message is marked as read when it appears. A swipe removes it on each device of the person. Pulling down loads newer
  /// messages, and reaching the end loads older ones. Texts grow with Dynamic Type.
  public struct InboxList: View {
    private let inbox: Inbox?
    private let texts: InboxTexts
    private let picture: (InboxMessage) -> URL?
    private let open: (InboxMessage) -> Void
    @State private var content: InboxContent
    @State private var isLoaded = false
    @State private var hasFailed = false

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - texts: The app's texts.
    ///   - picture: The address of a message's picture, such as a file in the app group's container; `nil` shows no picture.
    ///   - open: Called with a message that the person taps.
    public init(
      _ inbox: Inbox, texts: InboxTexts,
      picture: @escaping (InboxMessage) -> URL? = { $0.imageURL },
      open: @escaping (InboxMessage) -> Void
    ) {
      self.inbox = inbox
      self.texts = texts
      self.picture = picture
      self.open = open
      _content = State(initialValue: inbox.content)
    }

    /// Creates a list of messages that are given, which reads and changes nothing: for a preview or a picture.
    ///
    /// ```swift
    /// InboxList(preview: InboxContent(messages: [InboxMessage(id: "1", title: "Sale")], unreadCount: 1), texts: texts)
    /// ```
    ///
    /// - Parameters:
    ///   - content: The messages.
    ///   - texts: The app's texts.
    ///   - picture: The address of a message's picture; `nil` shows no picture.
    public init(
      preview content: InboxContent, texts: InboxTexts,
      picture: @escaping (InboxMessage) -> URL? = { $0.imageURL }
    ) {
      inbox = nil
      self.texts = texts
      self.picture = picture
      open = { _ in }
      _content = State(initialValue: content)
      _isLoaded = State(initialValue: true)
    }

    /// The list.
    public var body: some View {
      List {
        if hasFailed { Text(texts.failed).foregroundStyle(Color.secondary) }
        if isLoaded, content.messages.isEmpty, !hasFailed {
          Text(texts.empty).foregroundStyle(Color.secondary)
        }
        ForEach(content.messages) { message in
          Button {
            open(message)
          } label: {
            InboxRow(message: message, picture: picture(message), unread: texts.unread)
          }
          .buttonStyle(.plain)
          .onAppear { appear(message) }
          .swipeActions {
            Button(role: .destructive) {
              hide(message)
            } label: {
              Label(texts.remove, systemImage: "trash")
            }
          }
        }
      }
      .refreshable { await read() }
      .task {
        guard let inbox else { return }
        for await content in inbox.changes { self.content = content }
      }
      .task { await read() }
    }

    private func read() async {
      guard let inbox else { return }
      do {
        try await inbox.refresh()
        hasFailed = false
      } catch {
        hasFailed = !Task.isCancelled
      }
      isLoaded = true
    }

    private func appear(_ message: InboxMessage) {
      guard let inbox else { return }
      let isLast = message.id == content.messages.last?.id && content.hasMore
      Task {
        if !message.isRead { await inbox.markRead([message.id]) }
        // If the page cannot be read now, it is read when the row appears again.
        if isLast { _ = try? await inbox.loadMore() }
      }
    }

    private func hide(_ message: InboxMessage) {
      guard let inbox else { return }
      Task { await inbox.hide(message.id) }
    }
  }

  /// The texts of an ``InboxList``, which the app's own string catalog translates.
  public struct InboxTexts {
    /// The text that is shown if the inbox is empty, such as “No messages”.
    public var empty: LocalizedStringKey
    /// The text that is shown if the messages cannot be read, such as “The messages cannot be loaded now.”.
    public var failed: LocalizedStringKey
    /// The button that removes a message, such as “Remove”.
    public var remove: LocalizedStringKey
    /// The word that VoiceOver speaks for an unread message, such as “Unread”.
    public var unread: LocalizedStringKey

    /// Creates texts.
    ///
    /// - Parameters:
    ///   - empty: The text that is shown if the inbox is empty.
    ///   - failed: The text that is shown if the messages cannot be read.
    ///   - remove: The button that removes a message.
    ///   - unread: The word that VoiceOver speaks for an unread message.
    public init(
      empty: LocalizedStringKey, failed: LocalizedStringKey, remove: LocalizedStringKey,
      unread: LocalizedStringKey
    ) {
      self.empty = empty
      self.failed = failed
      self.remove = remove
      self.unread = unread
    }
  }
#endif
