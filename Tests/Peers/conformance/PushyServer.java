import com.eatthepath.pushy.apns.auth.ApnsVerificationKey;
import com.eatthepath.pushy.apns.server.*;
import java.io.File;
import java.time.Instant;
import java.util.*;

/** Runs pushy's mock server: PORT CERTIFICATE KEY PROVIDER_PUBLIC_KEY TEAM KEYID TOPIC TOKEN GONE_TOKEN. */
class PushyServer {
  public static void main(String[] a) throws Exception {
    var key = ApnsVerificationKey.loadFromPkcs8File(new File(a[3]), a[4], a[5]);
    Set<String> topics = new HashSet<>();
    for (String suffix : new String[] {
        "", ".complication", ".push-type.controls", ".pushkit.fileprovider", ".push-type.liveactivity",
        ".location-query", ".voip-ptt", ".voip", ".push-type.widgets"}) topics.add(a[6] + suffix);
    Map<String, Set<String>> devices = new HashMap<>();
    for (String topic : topics) devices.put(topic, Set.of(a[7], a[8]));
    var server = new MockApnsServerBuilder()
      .setServerCredentials(new File(a[1]), new File(a[2]), null)
      .setHandlerFactory(new ValidatingPushNotificationHandlerFactory(
        devices, Map.of(a[8], Instant.now().minusSeconds(3600)), Map.of(a[5], key), Map.of(key, topics)))
      .build();
    server.start(Integer.parseInt(a[0])).get();
    System.out.println("listening " + a[0]);
    Thread.sleep(Long.MAX_VALUE);
  }
}
