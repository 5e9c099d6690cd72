package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"github.com/sideshow/apns2"
	"github.com/sideshow/apns2/payload"
	"github.com/sideshow/apns2/token"
	"golang.org/x/net/http2"
)

func main() {
	key, _ := token.AuthKeyFromFile("AuthKey.p8")
	authority, _ := os.ReadFile("martlet-sandbox/ca.pem")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := apns2.NewTokenClient(&token.Token{AuthKey: key, KeyID: "KEY1234567", TeamID: "TEAM123456"})
	client.Host = "https://127.0.0.1:2197"
	client.HTTPClient.Transport.(*http2.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	response, err := client.Push(&apns2.Notification{
		DeviceToken: "00ff", Topic: "com.example.app", PushType: apns2.PushTypeAlert,
		Payload: payload.NewPayload().AlertTitle("Rain until noon").AlertBody("Take an umbrella.").MutableContent().Custom("image_url", "https://example.com/rain.jpg")})
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, response.ApnsID, response.Reason)
}
