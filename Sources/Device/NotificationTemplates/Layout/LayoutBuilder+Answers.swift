extension LayoutBuilder {
  mutating func add(_ rating: TemplateRating) {
    if let media = rating.media { addPicture(media) }
    addTexts(template.texts, details: rating.details)
    addStars(rating)
    if rating.commit == .submit, state.rating != nil, !state.isAnswered {
      addButton(rating.submitTitle ?? TemplateText(words.submit), tap: .submit)
    }
  }

  /// The stars in one row, or in rows of nearly equal length if one row has no room for stars that a finger can hit.
  private mutating func addStars(_ rating: TemplateRating) {
    let wanted = isStacked ? 60.0 : target
    let room = max(2, min(rating.scale, Int((textWidth + gap) / (target + gap))))
    let rows = (rating.scale + room - 1) / room
    let perRow = (rating.scale + rows - 1) / rows
    let side = min(wanted, ((textWidth - gap * Double(perRow - 1)) / Double(perRow)).rounded(.down))
    if parts.isEmpty { y += margin * 0.75 }
    var number = 1
    while number <= rating.scale {
      let last = min(number + perRow - 1, rating.scale)
      let rowWidth = Double(last - number + 1) * (side + gap) - gap
      for star in number...last {
        let x = (width - rowWidth) / 2 + Double(star - number) * (side + gap)
        add(star: star, of: rating, in: TemplateRect(x: x, y: y, width: side, height: side))
      }
      y += side + gap
      number = last + 1
    }
    y += margin * 0.75 - gap
  }

  private mutating func add(star: Int, of rating: TemplateRating, in frame: TemplateRect) {
    let isChosen = (state.rating ?? 0) >= star
    parts.append(
      TemplateElement(
        content: .star(
          isChosen: isChosen, icon: isChosen ? rating.chosenIcon : rating.icon, palette.accent),
        frame: frame, tap: state.isAnswered ? nil : .rate(star),
        accessibility: TemplateAccessibility(
          label: words.rating(star, of: rating.scale),
          traits: state.rating == star ? [.button, .selected] : [.button])))
  }

  mutating func add(_ question: TemplateQuestion) {
    if state.isAnswered {
      if let media = question.feedbackMedia ?? question.media { addPicture(media) }
      let texts = question.feedbackTexts
      addTexts(texts == TemplateTexts() ? template.texts : texts)
      return
    }
    if let media = question.media { addPicture(media) }
    addTexts(template.texts)
    if let prompt = question.prompt {
      let label = TemplateLabel(
        text: prompt, font: font(.headline), color: palette.title, lines: lines(4))
      let texts = column(
        [label], in: TemplateRect(x: margin, y: y, width: textWidth, height: 0))
      parts += texts.elements
      y += texts.height + margin * 0.75
    }
    for choice in question.choices { addButton(choice.title, tap: .choose(choice.id)) }
  }
}
