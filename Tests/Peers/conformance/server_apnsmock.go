// Runs github.com/baobabus/go-apnsmock with all of its cases: CERTIFICATE KEY; prints its port.
package main

import (
	"fmt"
	"net/url"
	"os"

	"github.com/baobabus/go-apnsmock/apns2mock"
)

func main() {
	server, err := apns2mock.NewServer(
		apns2mock.NoDelayCommsCfg, apns2mock.DefaultHandler, os.Args[1], os.Args[2])
	if err != nil {
		panic(err)
	}
	address, _ := url.Parse(server.URL)
	fmt.Println("listening", address.Port())
	select {}
}
