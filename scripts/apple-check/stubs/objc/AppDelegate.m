// A delegate as an app in Objective-C writes it; the check compiles it.
@import Foundation;
@import MartletKitObjC;
@import UserNotifications;

@interface AppDelegate : NSObject
@property(nonatomic, strong) MARPushDevice *push;
@end

@implementation AppDelegate

- (void)launchWithServer:(NSURL *)server folder:(NSURL *)folder {
  self.push = [[MARPushDevice alloc] initWithServer:server key:@"DEVICE_KEY" folder:folder];
  [self.push setOpeningHandler:^(MAROpening *opening) {
    NSString *link = opening.link;
    (void)link;
  }];
  [self.push start];
}

- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)token {
  [self.push didRegisterForRemoteNotificationsWithDeviceToken:token];
}

- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error {
  [self.push didFailToRegisterForRemoteNotificationsWithError:error];
}

- (BOOL)didReceiveNotificationResponse:(UNNotificationResponse *)response {
  return [self.push didReceiveNotificationResponse:response];
}

- (void)signInWithToken:(NSString *)token {
  [self.push signInUser:@"ada" email:nil proof:token completion:^(NSError *error) {
    (void)error;
  }];
  [self.push addTag:@"gold"];
  [self.push setText:@"pro" forAttribute:@"plan"];
  [self.push setInteger:3 forAttribute:@"visits"];
  [self.push recordEvent:@"bought"];
  [self.push signOut];
  [self.push eraseWithCompletion:^(NSError *error) {
    (void)error;
  }];
}

@end
