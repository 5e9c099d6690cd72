#import <Foundation/Foundation.h>
#import <UserNotifications/UserNotifications.h>

NS_ASSUME_NONNULL_BEGIN

/// A notification service extension for projects in Objective-C that fetches and attaches the media of any known
/// payload.
///
/// Set it as `NSExtensionPrincipalClass` in the extension's Info.plist, or subclass it. An override of
/// `didReceiveNotificationRequest:withContentHandler:` must call `super`, which calls the handler exactly once.
@interface MARRichNotificationService : UNNotificationServiceExtension

/// The configuration of the engine, read once for each notification.
///
/// The keys are those of the dictionary `Martlet` in an Info.plist (`Deadline`, `AllowedHosts`, …), which is the
/// default value.
@property(nonatomic, readonly, copy) NSDictionary<NSString *, id> *configuration;

@end

NS_ASSUME_NONNULL_END
