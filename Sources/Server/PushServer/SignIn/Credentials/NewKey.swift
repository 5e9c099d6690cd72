import Foundation
import NetworkAddresses
package import PushModel

/// An API key of an app as a caller describes it, checked and not yet made.
struct NewKey: Sendable {
  var role: APIKey.Role
  var name: String?
  var limits: APIKey.Limits
  var isForDevelopment: Bool

  /// Reads the body of a new key.
  init(_ field: BodyValue, at now: Timestamp) throws(RequestError) {
    let role = try field.required("role")
    guard let parsed = APIKey.Role(rawValue: try role.string()), !parsed.isOfServer else {
      throw RequestError.refused(role.path, "must be one of push, analytics, device, admin")
    }
    isForDevelopment = try field["development"]?.bool() ?? false
    guard !isForDevelopment || parsed == .device else {
      throw RequestError.refused(
        field.path(to: "development"), "is for a key of the role device only")
    }
    self.role = parsed
    name = try field["name"].map { value throws(RequestError) in
      let text = try value.string().trimmingCharacters(in: .whitespacesAndNewlines)
      if let problem = DisplayText.problem(text, upTo: APIKey.nameLimit) {
        throw RequestError.refused(value.path, problem)
      }
      return text
    }
    limits = try APIKey.Limits(field, at: now)
  }
}

extension APIKey.Limits {
  /// The largest number of address ranges of one key.
  package static let rangeLimit = 100
  package static let perSecondRange = 1...10_000
  /// The form of an address range, for an error message.
  package static let rangeForm = "an address or a range such as 192.0.2.0/24 or 2001:db8::/32"

  /// Reads `allow`, `per_second`, `expires_at` and `class` of a new key.
  fileprivate init(_ field: BodyValue, at now: Timestamp) throws(RequestError) {
    self.init()
    let ranges = try field["allow"]?.elements() ?? []
    guard ranges.count <= Self.rangeLimit else {
      throw .refused(field.path(to: "allow"), "must have at most \(Self.rangeLimit) ranges")
    }
    for element in ranges {
      guard let range = AddressRange(try element.string()) else {
        throw .refused(element.path, "must be \(Self.rangeForm)")
      }
      allow.append(range)
    }
    let bounds = Int64(Self.perSecondRange.lowerBound)...Int64(Self.perSecondRange.upperBound)
    perSecond = try field["per_second"].map { value throws(RequestError) in
      Int(try value.integer(in: bounds))
    }
    expiresAt = try field.expiry(after: now)
    sendClass = try field["class"].map(SendClass.init)
  }
}

extension BodyValue {
  /// The member `expires_at` of a new key; `nil` if the key never expires.
  func expiry(after now: Timestamp) throws(RequestError) -> Timestamp? {
    guard let field = self["expires_at"] else { return nil }
    guard let time = Timestamp(iso8601: try field.string()) else {
      throw .refused(field.path, "must be an ISO 8601 date")
    }
    guard time > now else { throw .refused(field.path, "must be in the future") }
    return time
  }
}
