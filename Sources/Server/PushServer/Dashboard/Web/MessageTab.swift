import Markup

/// A list of the section Messages, which the tabs of the section lead to.
enum MessageTab: CaseIterable {
  case sends, campaigns, inApp, activities, templates, calendar

  var title: String {
    switch self {
    case .sends: "Sends"
    case .campaigns: "Campaigns"
    case .inApp: "In-app messages"
    case .activities: "Live Activities"
    case .templates: "Templates"
    case .calendar: "Calendar"
    }
  }

  private var section: Section { self == .templates ? .compose : .sends }

  func path(_ request: PageRequest) -> String {
    let path =
      switch self {
      case .sends: ""
      case .campaigns: CampaignPages.path
      case .inApp: MessagesPages.path
      case .activities: ActivityList.path
      case .templates: TemplatePages.path
      case .calendar: CalendarPages.path
      }
    return request.path(section) + path
  }

  /// The tabs that the user may open, above the list that is shown.
  func bar(_ request: PageRequest) -> HTML {
    let links = Self.allCases.filter { request.mayOpen($0.section) }.map { tab -> HTML in
      """
      <li><a href="\(tab.path(request))"\(" aria-current=\"page\"", if: tab == self)>\(tab.title)</a></li>
      """
    }
    return "<nav class=\"sub\" aria-label=\"Messages\"><ul>\(links)</ul></nav>"
  }
}
