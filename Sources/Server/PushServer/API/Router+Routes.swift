extension Router {
  /// The routes of the API itself, without the dashboard's pages.
  static let routes: [Route] =
    NotificationRoutes.all + ReplayRoute.all + DeviceRoutes.all + EventRoutes.all + UserRoutes.all
    + AudienceRoutes.all + TransactionalRoutes.all + OutcomeRoutes.all + ExplanationRoutes.all
    + ReceiptRoutes.all + StatRoutes.all + MessageRoutes.all + InboxRoutes.all + SyncRoute.all
    + WebhookRoutes.all
    + AppRoutes.all + IdentityKeyRoutes.all + ActivityTokenRoutes.all + ActivityRoutes.all
    + KeptActivityRoutes.all + ReloadRoutes.all
    + ChannelRoutes.all + CampaignRoutes.all + TemplateRoutes.all + RunRoutes.all + LimitRoutes.all
    + StatusRoutes.all + UploadRoutes.all + TimelineRoute.all
}
