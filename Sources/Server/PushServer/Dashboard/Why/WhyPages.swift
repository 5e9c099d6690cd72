import Markup
import PushModel
import _HTTPServer

/// The page that answers why a phone did not show a notification: its timeline, and the search for whose phone it is.
enum WhyPages {
  static let title = "Why was it not shown?"
  private static let path = "/why"
  /// The parameter with the text that somebody has typed to name a person or a device.
  static let searchName = "who"

  static let all: [Route] = [.page("GET", .sends, at: path, handler: show)]

  /// The address of the page, without its query.
  static func path(_ request: PageRequest) -> String { request.path(.sends) + path }

  /// The address of the question, or with a recipient of its answer.
  static func path(
    of subject: Actions.TimelineSubject, to recipient: Actions.TimelineRecipient? = nil,
    _ request: PageRequest
  ) -> String {
    let query = URLEncoded.encode([subject.parameter] + [recipient?.parameter].compactMap(\.self))
    return "\(path(request))?\(query)"
  }

  /// The path of the page with more than a timeline's step says.
  static func home(of link: DeliveryTimeline.Link, _ request: PageRequest) -> String {
    switch link {
    case .notification(let id): "\(request.path(.sends))/\(id)"
    case .outcome(let id, _): "\(request.path(.sends))/\(id)#failures"
    case .run(_, let id), .campaign(let id):
      "\(request.path(.sends))\(CampaignPages.path)/\(id)"
    }
  }

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    let question = try await WhyQuestion(request)
    if let text = Form(request.http.query.map { ($0.name, $0.value) })[searchName] {
      return try await find(
        String(text.prefix(DevicePatchReader.textLimit)), for: question, request)
    }
    guard Actions.TimelineRecipient.isNamed(in: request.call) else {
      return page(WhySearchView(request: request, question: question).html, request)
    }
    let recipient = try Actions.TimelineRecipient(in: request.call)
    do {
      return try await show(question, for: recipient, request)
    } catch let error as RequestError where error.code == .notFound {
      // The subject exists, so it is the recipient that does not.
      let view = WhySearchView(request: request, question: question, missing: recipient)
      return page(view.html, request, status: error.status)
    }
  }

  private static func show(
    _ question: WhyQuestion, for recipient: Actions.TimelineRecipient, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let (store, app) = (request.router.store, request.app.id)
    let timelines = try await request.actions.timelines(
      of: question.subject, for: recipient, app: app)
    guard let first = timelines.first else { throw RequestError.notFound("device") }
    var view = TimelineView(
      request: request, question: question, recipient: recipient, first: first,
      others: Array(timelines.dropFirst()))
    if let send = first.send {
      view.receipts = try await store.receipts(of: send.id, device: first.device, app: app)
    }
    return page(view.html, request)
  }

  /// Opens the timeline of the one person or device that a text names, or else says who is found.
  private static func find(
    _ text: String, for question: WhyQuestion, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let search = try await PersonSearch(text, in: request)
    if let recipient = search.recipient {
      return .seeOther(path(of: question.subject, to: recipient, request))
    }
    return page(
      WhySearchView(request: request, question: question, search: search).html, request)
  }

  private static func page(
    _ main: HTML, _ request: PageRequest, status: Int = 200
  ) -> HTTPResponse {
    WebPage(title: title, section: .sends, main: main).response(status: status, for: request)
  }
}

extension PersonSearch {
  /// The person or the device that the text names; `nil` if it names nobody, or several.
  ///
  /// A whole id counts for more than what only begins with the text.
  fileprivate var recipient: Actions.TimelineRecipient? {
    let exact = devices.filter { $0.id == text || $0.userID == text }
    let named = exact.isEmpty ? devices : exact
    guard let first = named.first, AppPerson.people(with: named).count == 1 else { return nil }
    let isToken = PushToken.prefix(text).map { first.token?.hasPrefix($0) == true } ?? false
    let isDevice = named.count == 1 && (first.id == text || isToken)
    guard let user = first.userID, user == text || !isDevice else { return .device(first.id) }
    return .user(user)
  }
}
