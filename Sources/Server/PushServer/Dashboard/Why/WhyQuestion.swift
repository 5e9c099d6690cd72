import PushModel
import PushPayload

/// A notification, a run or a campaign that somebody asks about, with what a page says of it.
struct WhyQuestion {
  let subject: Actions.TimelineSubject
  /// The text by which people know the notification or the campaign.
  let title: String
  /// The path of the page of the notification or of the campaign.
  let home: String

  /// Reads the question of a page's address.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the address names none or several, `.notFound` if the app does not have it.
  init(_ request: PageRequest) async throws {
    subject = try Actions.TimelineSubject(in: request.call)
    let (store, app) = (request.router.store, request.app.id)
    switch subject {
    case .notification(let id):
      let send = try await request.actions.notification(id, app: app)
      (title, home) = (
        send.name ?? send.summary, WhyPages.home(of: .notification(send.id), request)
      )
    case .run(let id):
      guard let run = try await store.run(id, app: app) else {
        throw RequestError.notFound("run with this id")
      }
      let campaign = try await request.actions.campaign(run.campaign, app: app)
      let day = RunReport(run.report).day.map { ", \($0.text)" }
      (title, home) = (
        campaign.name + (day ?? ""), WhyPages.home(of: .campaign(campaign.id), request)
      )
    case .campaign(let id):
      let campaign = try await request.actions.campaign(id, app: app)
      (title, home) = (campaign.name, WhyPages.home(of: .campaign(campaign.id), request))
    }
  }
}
