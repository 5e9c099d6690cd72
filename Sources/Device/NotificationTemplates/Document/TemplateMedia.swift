/// A picture, movie or sound of a template.
package struct TemplateMedia: Hashable, Sendable {
  /// The kind of the file.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case image, gif, video, audio
  }

  /// The way in which a picture fills its place.
  package enum Fit: String, Hashable, Sendable, CaseIterable {
    /// The picture covers the place, and the parts outside are cut off.
    case fill
    /// All of it is shown.
    case fit
  }

  /// The identifier, which is unique in the template: that of the payload, or its number.
  package var id: String
  package var url: String
  /// The URL that is used if the first cannot be fetched.
  package var alternative: String?
  /// The description for people who do not see it.
  package var alt: String?
  package var kind = Kind.image
  package var fit = Fit.fill
  /// The radius of the corners in points.
  package var corner = 0.0
  package var border = TemplateBorder()
}

/// A page of a carousel, a product of a catalog or an icon.
package struct TemplateItem: Hashable, Sendable {
  /// The vendor's identifier; `nil` if the payload does not name one.
  package var id: String?
  package var media: TemplateMedia
  package var title: TemplateText?
  package var body: TemplateText?
  package var price: TemplateText?
  /// The link of a tap; `nil` for that of the template.
  package var link: String?
}

/// A button that a template answers, of its own or of the category.
package struct TemplateAction: Hashable, Sendable {
  /// The effect of the button.
  package enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Moves to the next page.
    case next
    /// Moves to the previous page.
    case previous
    /// Opens the link of the present page or product.
    case open
    /// Shows the picker of a rating.
    case choose
    /// Sends the rating or the answer.
    case submit
    /// Closes the notification and gives the action to the app.
    case forward
    /// Closes the notification.
    case dismiss
  }

  /// The identifier of the action.
  package var id: String
  /// The title; `nil` for a button of a category that the app registers.
  package var title: String?
  package var effect: Effect
  package var link: String?
}

/// A button that the template draws.
package struct TemplateButton: Hashable, Sendable {
  package var title: TemplateText
  /// The link; `nil` for that of the template or the product.
  package var link: String?
  package var box = TemplateBox()
}
