/// The words that a template itself has, in one language.
package struct TemplateWords: Hashable, Sendable {
  /// The words in the order of ``all``.
  private let words: [String]

  /// `Page 2 of 5`.
  package func page(_ number: Int, of count: Int) -> String { fill(words[0], number, of: count) }
  /// `Rating: 3 of 5`.
  package func rating(_ number: Int, of count: Int) -> String { fill(words[1], number, of: count) }
  package var next: String { words[2] }
  package var previous: String { words[3] }
  package var open: String { words[4] }
  package var submit: String { words[5] }
  package var picture: String { words[6] }
  package var video: String { words[7] }
  package var sound: String { words[8] }
  package var timeLeft: String { words[9] }
  /// The abbreviation of days.
  package var day: String { words[10] }

  /// Replaces `%1` and `%2`.
  private func fill(_ text: String, _ number: Int, of count: Int) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).enumerated()
      .map { index, part in
        if index > 0, part.first == "1" { return "\(number)" + part.dropFirst() }
        if index > 0, part.first == "2" { return "\(count)" + part.dropFirst() }
        return String(part)
      }.joined()
  }

  /// Creates the words of a language, or of English if the language is not supported.
  ///
  /// - Parameter language: A code such as `de`, `pt-BR` or `zh-Hans`.
  package init(language: String) {
    let code = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    words = Self.all[Self.aliases[code] ?? code] ?? Self.english
  }

  /// The languages that have words, and how many each has.
  package static var languages: [String: Int] { all.mapValues(\.count) }

  /// Other codes of the languages: older ones, and Norwegian without a written form.
  private static let aliases = ["iw": "he", "no": "nb", "nn": "nb"]

  private static let english = [
    "Page %1 of %2", "Rating: %1 of %2", "Next", "Previous", "Open", "Submit", "Picture", "Video",
    "Sound", "Time left", "d",
  ]

  private static let all: [String: [String]] = [
    "en": english,
    "ar": [
      "الصفحة %1 من %2", "التقييم: %1 من %2", "التالي", "السابق", "فتح", "إرسال", "صورة", "فيديو",
      "صوت", "الوقت المتبقي", "ي",
    ],
    "cs": [
      "Stránka %1 z %2", "Hodnocení: %1 z %2", "Další", "Předchozí", "Otevřít", "Odeslat",
      "Obrázek",
      "Video", "Zvuk", "Zbývající čas", "d",
    ],
    "da": [
      "Side %1 af %2", "Bedømmelse: %1 af %2", "Næste", "Forrige", "Åbn", "Send", "Billede",
      "Video",
      "Lyd", "Resterende tid", "d",
    ],
    "de": [
      "Seite %1 von %2", "Bewertung: %1 von %2", "Weiter", "Zurück", "Öffnen", "Senden", "Bild",
      "Video", "Ton", "Verbleibende Zeit", "T",
    ],
    "es": [
      "Página %1 de %2", "Valoración: %1 de %2", "Siguiente", "Anterior", "Abrir", "Enviar",
      "Imagen",
      "Vídeo", "Sonido", "Tiempo restante", "d",
    ],
    "fi": [
      "Sivu %1/%2", "Arvio: %1/%2", "Seuraava", "Edellinen", "Avaa", "Lähetä", "Kuva", "Video",
      "Ääni", "Aikaa jäljellä", "pv",
    ],
    "fr": [
      "Page %1 sur %2", "Note : %1 sur %2", "Suivant", "Précédent", "Ouvrir", "Envoyer", "Image",
      "Vidéo", "Son", "Temps restant", "j",
    ],
    "he": [
      "עמוד %1 מתוך %2", "דירוג: %1 מתוך %2", "הבא", "הקודם", "פתיחה", "שליחה", "תמונה", "סרטון",
      "צליל",
      "הזמן שנותר", "י׳",
    ],
    "it": [
      "Pagina %1 di %2", "Valutazione: %1 di %2", "Avanti", "Indietro", "Apri", "Invia", "Immagine",
      "Video", "Audio", "Tempo rimanente", "g",
    ],
    "ja": [
      "%2ページ中%1ページ目", "評価：%2段階中%1", "次へ", "前へ", "開く", "送信", "画像", "ビデオ", "サウンド", "残り時間", "日",
    ],
    "ko": [
      "%2페이지 중 %1페이지", "평점: %2점 중 %1점", "다음", "이전", "열기", "보내기", "이미지", "비디오", "사운드", "남은 시간",
      "일",
    ],
    "nb": [
      "Side %1 av %2", "Vurdering: %1 av %2", "Neste", "Forrige", "Åpne", "Send", "Bilde", "Video",
      "Lyd", "Tid igjen", "d",
    ],
    "nl": [
      "Pagina %1 van %2", "Beoordeling: %1 van %2", "Volgende", "Vorige", "Open", "Verstuur",
      "Afbeelding", "Video", "Geluid", "Resterende tijd", "d",
    ],
    "pl": [
      "Strona %1 z %2", "Ocena: %1 z %2", "Dalej", "Wstecz", "Otwórz", "Wyślij", "Obraz", "Film",
      "Dźwięk", "Pozostały czas", "d",
    ],
    "pt": [
      "Página %1 de %2", "Avaliação: %1 de %2", "Seguinte", "Anterior", "Abrir", "Enviar", "Imagem",
      "Vídeo", "Som", "Tempo restante", "d",
    ],
    "ru": [
      "Страница %1 из %2", "Оценка: %1 из %2", "Далее", "Назад", "Открыть", "Отправить",
      "Изображение", "Видео", "Звук", "Осталось времени", "д",
    ],
    "sv": [
      "Sida %1 av %2", "Betyg: %1 av %2", "Nästa", "Föregående", "Öppna", "Skicka", "Bild", "Video",
      "Ljud", "Tid kvar", "d",
    ],
    "tr": [
      "Sayfa %1 / %2", "Puan: %1 / %2", "Sonraki", "Önceki", "Aç", "Gönder", "Resim", "Video",
      "Ses",
      "Kalan süre", "g",
    ],
    "zh": [
      "第%1页，共%2页", "评分：%1（满分%2）", "下一页", "上一页", "打开", "提交", "图片", "视频", "声音", "剩余时间", "天",
    ],
  ]
}
