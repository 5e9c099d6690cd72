/// The texts of the help, which need no network, and the articles that say more.
extension HelpTopic {
  var title: String {
    switch self {
    case .home: "Home"
    case .compose: "Compose"
    case .templates: "Templates"
    case .sends: "Sends"
    case .why: "Why was it not shown?"
    case .campaigns: "Campaigns"
    case .messages: "In-app messages"
    case .activities: "Live Activities"
    case .calendar: "Calendar"
    case .audiences: "Audiences"
    case .devices: "People and devices"
    case .reports: "Reports"
    case .settings: "Settings"
    case .account: "Signing in and your account"
    }
  }

  /// The file in the documents of Martlet, and the section of it, with the whole article.
  var article: String {
    switch self {
    case .home: "docs/server/dashboard.md#home"
    case .compose: "docs/server/dashboard.md#composing"
    case .templates: "docs/server/campaigns.md#templates"
    case .sends: "docs/server/dashboard.md#sends"
    case .why: "docs/server/why.md"
    case .campaigns: "docs/server/campaigns.md#in-the-dashboard"
    case .messages: "docs/server/campaigns.md#in-app-messages"
    case .activities: "docs/app/live-activities.md"
    case .calendar: "docs/server/dashboard.md#calendar"
    case .audiences: "docs/server/dashboard.md#audiences"
    case .devices: "docs/server/dashboard.md#people"
    case .reports: "docs/server/dashboard.md#reports"
    case .settings: "docs/server/dashboard.md#settings"
    case .account: "docs/server/accounts.md"
    }
  }

  /// The sentences of the topic, each a point of its list.
  var points: [String] {
    switch self {
    case .home:
      [
        "“Needs a decision” has campaigns that wait for an approval, tests without a winner, and what the server has "
          + "paused.",
        "“Goes out next” has the next sends and campaigns. The calendar has all of them.",
        "The last seven whole days stand beside the seven days before.",
        "You see what your role or key may open.",
      ]
    case .compose:
      [
        "Choose an audience, write the title and the text, and look at the preview: it is what the phone shows.",
        "“Send test” sends to one device or to a test audience at once. Nobody else gets it.",
        "“Review and send” shows how many devices get the message. Nothing is sent before you confirm that.",
        "A draft stays in this browser until you send or discard it.",
      ]
    case .templates:
      [
        "A template is a message that others begin with. “Compose” opens a message with its texts and media.",
        "“Save as a template” at the end of Compose makes one. Each save is a version, and old versions stay.",
        "Campaigns can name a template or one of its versions.",
      ]
    case .sends:
      [
        "Each row is a message. The variants of a campaign, and its test with the rest, are one row that you can "
          + "unfold.",
        "The search finds words of names, labels, titles and texts. Its address keeps the filters, so you can send "
          + "it to somebody.",
        "The rate is the share of the devices that APNs accepted the push for, on which it was opened.",
        "Triggered campaigns may send every few seconds. Their sends are listed where the filter asks for them.",
      ]
    case .why:
      [
        "The first cause that is known stands on top, with what to do. Below is the whole way, from the call to the "
          + "lock screen.",
        "“Not known” is a step of which nothing is stored: the text says what may be, and what would tell it.",
        "Of a person with several devices, the one that the notification got furthest is told; the others have a link.",
        "The phone reports what its app reports: the settings, and what the service extension did. iOS tells no app "
          + "which notifications it has shown, nor that the phone was off.",
        "APNs’ answers and the phone’s reports are kept for 90 days, unless the server is set otherwise.",
      ]
    case .campaigns:
      [
        "A campaign sends once, on certain days, or to each person after an event or a change of audience.",
        "It compares up to ten variants. A test sends them to a sample first, and the rest gets the winner.",
        "A campaign is a draft until somebody starts it. An app can require that another person approves it first.",
        "“Pause” holds what is not sent yet. “End” cannot be taken back.",
      ]
    case .messages:
      [
        "An in-app message stands in the inbox that the app shows, with or without a push.",
        "Choose “In-app message” as the type in Compose to write one.",
        "“Listed” counts the devices on which the inbox showed it, “Opened” those on which it was read.",
        "“Unpublish” on its page takes it out of the inboxes.",
      ]
    case .activities:
      [
        "The list has the Live Activities to which something was sent, the latest first.",
        "The API starts, updates and ends them: POST /v6/activities/ACTIVITY-ID/notifications.",
        "“Phones” have a token for updates now. “Sent” and “Failed” count all pushes of the activity.",
      ]
    case .calendar:
      [
        "The calendar has the sends and the campaigns with a time, by month or by week.",
        "Times are in your time zone, or in UTC if scripts are off. A time “on each device’s clock” is local there.",
        "Days of a recurring campaign that are still to come are planned one after the other, as its schedule says.",
      ]
    case .audiences:
      [
        "An audience is a set of devices, chosen by conditions. Its devices are looked up at every send.",
        "“Reachable by push” leaves out devices without a push token and those whose users have turned notifications "
          + "off.",
        "A test audience is offered for test sends.",
      ]
    case .devices:
      [
        "Search by a whole device ID or user ID, or by the first characters of a push token.",
        "“Mark as test device” adds a device to those that tests and previews offer first.",
        "“Erase” removes the data of a device for good.",
      ]
    case .reports:
      [
        "The charts count by day in UTC. Each has its numbers as a table.",
        "The report of a send has its rates with their intervals, and can be compared with that of another send.",
        "“Export” saves the numbers as CSV.",
      ]
    case .settings:
      [
        "Here are the app with its APNs key, its API keys, webhooks and limits, and who may do what.",
        "Quiet hours and frequency caps hold for campaigns, unless a campaign says otherwise.",
        "The audit log says who changed what, and when.",
      ]
    case .account:
      [
        "Sign in with your email address and password, with a passkey, or with your organization’s account.",
        "An API key opens the sections of its role: push, analytics or admin.",
        "An admin invites people, and gives a new link to somebody who has forgotten the password.",
      ]
    }
  }
}
