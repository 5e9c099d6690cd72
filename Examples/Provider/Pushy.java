import com.eatthepath.pushy.apns.*;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import com.eatthepath.pushy.apns.util.*;
import java.io.File;

class Pushy {
  public static void main(String[] arguments) throws Exception {
    ApnsClient client = new ApnsClientBuilder()
      .setApnsServer("127.0.0.1", 2197)
      .setTrustedServerCertificateChain(new File("martlet-sandbox/ca.pem"))
      .setSigningKey(ApnsSigningKey.loadFromPkcs8File(
        new File("AuthKey.p8"), "TEAM123456", "KEY1234567"))
      .build();
    String payload = new SimpleApnsPayloadBuilder()
      .setAlertTitle("Rain until noon")
      .setAlertBody("Take an umbrella.")
      .setMutableContent(true)
      .addCustomProperty("image_url", "https://example.com/rain.jpg")
      .build();
    var push = new SimpleApnsPushNotification(
      "00ff", "com.example.app", payload, null, DeliveryPriority.IMMEDIATE, PushType.ALERT);
    var response = client.sendNotification(push).get();
    System.out.println(response.getStatusCode() + " " + response.getApnsId());
    client.close().get();
  }
}
