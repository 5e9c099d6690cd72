// Sends the pushes of a conformance rule with github.com/sideshow/apns2.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/sideshow/apns2"
	"github.com/sideshow/apns2/token"
	"golang.org/x/net/http2"
)

func main() {
	key, _ := token.AuthKeyFromFile(os.Getenv("APNS_KEY"))
	authority, _ := os.ReadFile(os.Getenv("APNS_CA"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := apns2.NewTokenClient(
		&token.Token{AuthKey: key, KeyID: os.Getenv("APNS_KEY_ID"), TeamID: os.Getenv("APNS_TEAM_ID")})
	client.Host = "https://" + os.Getenv("APNS_HOST") + ":" + os.Getenv("APNS_PORT")
	client.HTTPClient.Transport.(*http2.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	lock := sync.Mutex{}
	send := func(token string) {
		line := token + " none"
		response, err := client.Push(&apns2.Notification{
			DeviceToken: token, Topic: os.Getenv("APNS_TOPIC"), PushType: apns2.PushTypeAlert,
			Payload: []byte(os.Getenv("APNS_PAYLOAD"))})
		if err == nil {
			line = strings.TrimSpace(fmt.Sprintf("%s %d %s", token, response.StatusCode, response.Reason))
		}
		lock.Lock()
		defer lock.Unlock()
		fmt.Println(line)
	}
	var group sync.WaitGroup
	for _, token := range strings.Fields(os.Getenv("APNS_TOKENS")) {
		group.Add(1)
		work := func(token string) { defer group.Done(); send(token) }
		if os.Getenv("APNS_TOGETHER") == "1" {
			go work(token)
		} else {
			work(token)
		}
	}
	group.Wait()
}
