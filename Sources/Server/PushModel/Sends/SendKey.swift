/// The key of a send's row: the numbers of its app and its own.
package struct SendKey: Hashable, Sendable {
  package let app: Int64
  package let number: Int64

  package init(app: Int64, number: Int64) { (self.app, self.number) = (app, number) }
}
