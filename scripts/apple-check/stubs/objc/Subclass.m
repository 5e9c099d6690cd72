// What an app writes: that it compiles is part of the check.
#import "MARRichNotificationService.h"

@interface NotificationService : MARRichNotificationService
@end

@implementation NotificationService

- (NSDictionary<NSString *, id> *)configuration {
  return @{@"AppGroup" : @"group.com.example.app"};
}

@end
