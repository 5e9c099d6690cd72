// The declarations of Apple's Foundation that Martlet's Objective-C uses.
#pragma once
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define nil ((id)0)
typedef signed char BOOL;
typedef unsigned long NSUInteger;
typedef long NSInteger;

NS_ASSUME_NONNULL_BEGIN
__attribute__((objc_root_class)) @interface NSObject
+ (instancetype)alloc;
+ (Class)class;
+ (instancetype)new;
- (instancetype)init;
- (BOOL)isKindOfClass:(Class)aClass;
@end

@protocol NSCopying
@end

@interface NSString : NSObject <NSCopying>
@end

@interface NSDictionary<KeyType, ObjectType> : NSObject <NSCopying>
+ (instancetype)dictionaryWithObjects:(const ObjectType _Nonnull [_Nullable])objects
                              forKeys:(const KeyType<NSCopying> _Nonnull [_Nullable])keys
                                count:(NSUInteger)count;
@end

@interface NSURL : NSObject
@end

@interface NSData : NSObject
@end

@interface NSError : NSObject
@end

@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
@end
NS_ASSUME_NONNULL_END
