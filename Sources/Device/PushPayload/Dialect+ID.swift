extension Dialect.ID {
  /// Martlet's own: `_martlet`.
  public static let martlet = Self(rawValue: "martlet")
  /// Sailthru Mobile, later Marigold: `_st`.
  public static let sailthru = Self(rawValue: "sailthru")
  /// Carnival, the predecessor of Sailthru Mobile: `image_url` and `video_url` at the top.
  public static let carnival = Self(rawValue: "carnival")
  /// Salesforce Marketing Cloud: `_mediaUrl`, `_mediaAlt`.
  public static let salesforce = Self(rawValue: "salesforce")
  /// OneSignal: `os_data`, and the older `custom` with `att`.
  public static let oneSignal = Self(rawValue: "onesignal")
  /// Airship: `com.urbanairship.media_attachment`.
  public static let airship = Self(rawValue: "airship")
  /// Firebase Cloud Messaging: `fcm_options`.
  public static let fcm = Self(rawValue: "fcm")
  /// CleverTap: `ct_mediaUrl`, and templates under `pt_…`.
  public static let cleverTap = Self(rawValue: "clevertap")
  /// Iterable: `itbl`.
  public static let iterable = Self(rawValue: "iterable")
  /// Customer.io: `CIO`.
  public static let customerIO = Self(rawValue: "customerio")
  /// Braze: `ab`.
  public static let braze = Self(rawValue: "braze")
  /// Batch: `com.batch`.
  public static let batch = Self(rawValue: "batch")
  /// Pushwoosh: `pw_msg`.
  public static let pushwoosh = Self(rawValue: "pushwoosh")
  /// Leanplum: `LP_URL`.
  public static let leanplum = Self(rawValue: "leanplum")
  /// Klaviyo: `rich-media`.
  public static let klaviyo = Self(rawValue: "klaviyo")
  /// Adobe Journey Optimizer: `adb_media`.
  public static let adobe = Self(rawValue: "adobe")
  /// Adobe Campaign: `media-attachment-url`.
  public static let adobeCampaign = Self(rawValue: "adobe-campaign")
  /// Expo: `_richContent`.
  public static let expo = Self(rawValue: "expo")
  /// Notifee: `notifee_options`.
  public static let notifee = Self(rawValue: "notifee")
  /// WebEngage: `expandableDetails`.
  public static let webEngage = Self(rawValue: "webengage")
  /// Kumulos, later Optimove: `attachments.pictureUrl`.
  public static let kumulos = Self(rawValue: "kumulos")
  /// Mixpanel: `mp_media_url`.
  public static let mixpanel = Self(rawValue: "mixpanel")
  /// Swrve: `_sw`.
  public static let swrve = Self(rawValue: "swrve")
  /// Emarsys: `ems`.
  public static let emarsys = Self(rawValue: "emarsys")
  /// Blueshift: keys that begin with `bsft_`.
  public static let blueshift = Self(rawValue: "blueshift")
  /// Bloomreach, earlier Exponea: `source` with the value `xnpe_platform`.
  public static let exponea = Self(rawValue: "exponea")
  /// Countly: `c`.
  public static let countly = Self(rawValue: "countly")
  /// Infobip: `internalData`.
  public static let infobip = Self(rawValue: "infobip")
  /// Mindbox: `imageUrl` at the top.
  public static let mindbox = Self(rawValue: "mindbox")
  /// Mapp Engage: `ios_apx_media`.
  public static let mapp = Self(rawValue: "mapp")
  /// Acoustic, earlier IBM: `media-attachment`.
  public static let acoustic = Self(rawValue: "acoustic")
  /// Reteno, earlier eSputnik: keys that begin with `es_`.
  public static let reteno = Self(rawValue: "reteno")
  /// Appcues: `appcues_attachment_url`.
  public static let appcues = Self(rawValue: "appcues")
  /// AWS Pinpoint through Amplify: `data.media-url`.
  public static let pinpoint = Self(rawValue: "pinpoint")
  /// Twilio Engage, from Segment: an array `media`.
  public static let twilio = Self(rawValue: "twilio")
  /// MotiSig: `_motisig`.
  public static let motiSig = Self(rawValue: "motisig")
  /// WonderPush: `_wp`.
  public static let wonderPush = Self(rawValue: "wonderpush")
  /// MoEngage: `moengage`.
  public static let moEngage = Self(rawValue: "moengage")
  /// Dengage: `messageSource`.
  public static let dengage = Self(rawValue: "dengage")
  /// Notificare: `attachment.uri`.
  public static let notificare = Self(rawValue: "notificare")
  /// Localytics: `ll_attachment_url`.
  public static let localytics = Self(rawValue: "localytics")
  /// Home Assistant: an object `attachment`.
  public static let homeAssistant = Self(rawValue: "home-assistant")
  /// Related Digital, also Visilabs and Euromessage: `pushType`.
  public static let relatedDigital = Self(rawValue: "related-digital")
  /// ntfy: `topic` and `event`.
  public static let ntfy = Self(rawValue: "ntfy")
  /// A tutorial that many apps copied: `aps.imageAbsoluteString`.
  public static let imageAbsoluteString = Self(rawValue: "image-absolute-string")
  /// Keys of no vendor in particular: `attachment-url`, `data.picture`.
  public static let generic = Self(rawValue: "generic")
  /// The app's own keys.
  public static let custom = Self(rawValue: "custom")
  /// No dialect: the payload matches no signature.
  public static let none = Self(rawValue: "none")
}
