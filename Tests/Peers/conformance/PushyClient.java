import com.eatthepath.pushy.apns.*;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import com.eatthepath.pushy.apns.util.*;
import java.io.File;
import java.util.*;
import java.util.concurrent.*;

/** Sends the pushes of a conformance rule with pushy. */
class PushyClient {
  public static void main(String[] arguments) throws Exception {
    Map<String, String> env = System.getenv();
    ApnsClient client = new ApnsClientBuilder()
      .setApnsServer(env.get("APNS_HOST"), Integer.parseInt(env.get("APNS_PORT")))
      .setTrustedServerCertificateChain(new File(env.get("APNS_CA")))
      .setSigningKey(ApnsSigningKey.loadFromPkcs8File(
        new File(env.get("APNS_KEY")), env.get("APNS_TEAM_ID"), env.get("APNS_KEY_ID")))
      .build();
    List<Callable<Void>> sends = new ArrayList<>();
    for (String token : env.get("APNS_TOKENS").split(" ")) {
      sends.add(() -> {
        String line = token + " none";
        try {
          var push = new SimpleApnsPushNotification(
            token, env.get("APNS_TOPIC"), env.get("APNS_PAYLOAD"), null, DeliveryPriority.IMMEDIATE, PushType.ALERT);
          var response = client.sendNotification(push).get(8, TimeUnit.SECONDS);
          line = (token + " " + response.getStatusCode() + " " + response.getRejectionReason().orElse("")).trim();
        } catch (ExecutionException | TimeoutException error) {
          // It has no answer.
        }
        System.out.println(line);
        return null;
      });
    }
    int threads = env.get("APNS_TOGETHER").equals("1") ? sends.size() : 1;
    Executors.newFixedThreadPool(threads).invokeAll(sends);
    System.exit(0);
  }
}
