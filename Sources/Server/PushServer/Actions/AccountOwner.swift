/// A person who changes the own account.
struct AccountOwner: Sendable {
  let person: Person
  /// The person as the one who asks for the change.
  let actor: Actor

  init(_ person: Person, from visitor: Visitor) {
    self.person = person
    actor = visitor.identified(as: .person(person))
  }
}
