import Markup
import PushModel
import PushPayload

/// The page that asks whose phone did not show a notification, and says who is found.
struct WhySearchView {
  var request: PageRequest
  var question: WhyQuestion
  /// The search that has found nobody, or several; `nil` before one.
  var search: PersonSearch?
  /// The recipient of the address, which the app does not have.
  var missing: Actions.TimelineRecipient?

  var html: HTML {
    """
    <p><a href="\(question.home)">\(question.title)</a></p>
    <h1>\(WhyPages.title)</h1>
    \(missing.map(absence))
    \(WhyForm(request: request, subject: question.subject, text: search?.text).html)
    \(search.map(result))
    """
  }

  private func absence(of recipient: Actions.TimelineRecipient) -> HTML {
    let name: HTML =
      switch recipient {
      case .device(let id): "There is no device with the ID “\(id)” in this app."
      case .user(let id): "No device of this app has the user ID “\(id)”."
      }
    return "<p class=\"note\" role=\"status\">\(name) Search for the person or the device.</p>"
  }

  private func result(of search: PersonSearch) -> HTML {
    guard !search.devices.isEmpty else {
      return """
        <div class="note tried" role="status"><p>\(search.nobody) Nothing can be sent to a device before the app \
        has registered it with a device key of this app.</p>\(search.tried)</div>
        """
    }
    let people = AppPerson.people(with: search.devices)
    let more = search.isCut ? " There may be more. Enter a longer text." : ""
    return """
      <div class="card" role="status"><p>“\(search.text)” finds \(people.count) people. Which one?\(more)</p>
      <ul class="found">\(people.map(choice))</ul></div>
      """
  }

  private func choice(_ person: AppPerson) -> HTML {
    let recipient: Actions.TimelineRecipient =
      person.userID.map { .user($0) } ?? .device(person.first.id)
    let words = [person.name, person.email].compactMap(\.self).joined(separator: " · ")
    let count = person.devices.count
    return """
      <li><a href="\(WhyPages.path(of: question.subject, to: recipient, request))">\(person.id)</a> \
      \(count == 1 ? person.first.pushTag : "<span class=\"muted\">\(count) devices</span>") \(words)</li>
      """
  }
}

/// The form that takes the name of somebody who says that nothing came.
struct WhyForm {
  var request: PageRequest
  var subject: Actions.TimelineSubject
  /// The text of the last search.
  var text: String?

  var html: HTML {
    let (name, value) = subject.parameter
    return """
      <form method="get" action="\(WhyPages.path(request))" class="row" role="search">
      <input type="hidden" name="\(name)" value="\(value)">
      <label for="who" class="hidden">Who did not get it?</label>
      <input id="who" name="\(WhyPages.searchName)" placeholder="User ID, email, name, device ID or push token" \
      value="\(text ?? "")" autocomplete="off" spellcheck="false" autocapitalize="none" required>
      <button>Find out why</button></form>
      """
  }

  /// The form with a heading, as the page of a notification or of a campaign has it.
  func section(help: HTML? = nil) -> HTML {
    """
    <h2 id="why">Why did somebody not get it?</h2>
    \(help.map { "<p class=\"help\">\($0)</p>" })
    \(html)
    """
  }
}
