#import <Foundation/Foundation.h>
#import <UserNotifications/UserNotifications.h>

NS_ASSUME_NONNULL_BEGIN

/// The service extension for a project in Objective-C, ready to use: fetches and attaches what any known
/// payload asks for.
///
/// Name it under `NSExtensionPrincipalClass` in the extension's Info.plist, or subclass it. An override of
/// `didReceiveNotificationRequest:withContentHandler:` calls `super`, which calls the handler exactly once.
@interface MARRichNotificationService : UNNotificationServiceExtension

/// How the app wants its notifications enriched; read once for each notification.
///
/// The keys are those of the dictionary `Martlet` in an Info.plist (`Deadline`, `AllowedHosts`, …), which
/// is also what stands here unless a subclass overrides it.
@property(nonatomic, readonly, copy) NSDictionary<NSString *, id> *configuration;

@end

NS_ASSUME_NONNULL_END
