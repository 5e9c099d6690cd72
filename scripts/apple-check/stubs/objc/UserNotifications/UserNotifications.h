// The declarations of Apple's UserNotifications that Martlet's Objective-C uses.
#pragma once
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN
@interface UNNotificationContent : NSObject <NSCopying>
@end

@interface UNNotificationRequest : NSObject <NSCopying>
@end

@interface UNNotification : NSObject <NSCopying>
@end

@interface UNNotificationResponse : NSObject <NSCopying>
@end

@interface UNNotificationServiceExtension : NSObject
- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *contentToDeliver))contentHandler;
- (void)serviceExtensionTimeWillExpire;
@end
NS_ASSUME_NONNULL_END
