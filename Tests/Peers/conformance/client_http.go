// Sends the pushes of a conformance rule with Go's net/http.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

func providerToken() string {
	text, _ := os.ReadFile(os.Getenv("APNS_KEY"))
	block, _ := pem.Decode(text)
	key, _ := x509.ParsePKCS8PrivateKey(block.Bytes)
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":"%s"}`, os.Getenv("APNS_KEY_ID")))) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":"%s","iat":%d}`, os.Getenv("APNS_TEAM_ID"), time.Now().Unix())))
	hash := sha256.Sum256([]byte(signed))
	r, s, _ := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), hash[:])
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return signed + "." + encode(signature)
}

func main() {
	authority, _ := os.ReadFile(os.Getenv("APNS_CA"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := http.Client{Timeout: 8 * time.Second, Transport: &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
	authorization, lock := "bearer "+providerToken(), sync.Mutex{}
	send := func(token string) {
		url := fmt.Sprintf("https://%s:%s/3/device/%s", os.Getenv("APNS_HOST"), os.Getenv("APNS_PORT"), token)
		request, _ := http.NewRequest("POST", url, bytes.NewReader([]byte(os.Getenv("APNS_PAYLOAD"))))
		request.Header.Set("authorization", authorization)
		request.Header.Set("apns-topic", os.Getenv("APNS_TOPIC"))
		request.Header.Set("apns-push-type", "alert")
		line := token + " none"
		if response, err := client.Do(request); err == nil {
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			var answer struct{ Reason string }
			json.Unmarshal(body, &answer)
			line = strings.TrimSpace(fmt.Sprintf("%s %d %s", token, response.StatusCode, answer.Reason))
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
