#import "MARRichNotificationService.h"

@import RichNotifications;

@interface MARRichNotificationService ()
/// Atomic, because the system calls `serviceExtensionTimeWillExpire` on another thread.
@property(atomic, strong, nullable) MARRichNotificationBridge *bridge;
@end

@implementation MARRichNotificationService

- (NSDictionary<NSString *, id> *)configuration {
  id keys = [NSBundle.mainBundle objectForInfoDictionaryKey:@"Martlet"];
  return [keys isKindOfClass:NSDictionary.class] ? keys : @{};
}

- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *))contentHandler {
  MARRichNotificationBridge *bridge =
      [[MARRichNotificationBridge alloc] initWithConfiguration:self.configuration];
  self.bridge = bridge;
  [bridge didReceiveNotificationRequest:request withContentHandler:contentHandler];
}

- (void)serviceExtensionTimeWillExpire {
  [self.bridge serviceExtensionTimeWillExpire];
}

@end
