// A subclass as an app writes it; the check compiles it.
#import "MARRichNotificationService.h"

@interface NotificationService : MARRichNotificationService
@end

@implementation NotificationService

- (NSDictionary<NSString *, id> *)configuration {
  return @{@"AppGroup" : @"group.com.example.app"};
}

@end
