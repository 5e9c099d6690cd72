// Sends COUNT pushes at once on one connection with node's http2: HOST PORT CA AUTHORIZATION COUNT. Prints how many got
// which status or error, and whether the connection itself failed.
import { readFileSync } from "node:fs";
import { connect } from "node:http2";

const [host, port, authority, authorization, count] = process.argv.slice(2);
const session = connect(`https://${host}:${port}`, { ca: readFileSync(authority) });
const ends = {};
const note = (name) => (ends[name] = (ends[name] ?? 0) + 1);
session.on("error", (error) => note(`connection ${error.code}`));
await new Promise((done) => session.once("remoteSettings", done));
// A large body, so that much is on its way when the connection ends.
const body = JSON.stringify({ aps: { alert: "x".repeat(4000) } });
await Promise.all(
  Array.from({ length: Number(count) }, () =>
    new Promise((done) => {
      const stream = session.request({
        ":method": "POST", ":path": "/3/device/0a0b", authorization, "apns-topic": "com.example.app",
      });
      let status;
      stream.on("response", (headers) => (status = headers[":status"]));
      stream.on("error", (error) => {
        // So node closes the streams above the last one of GOAWAY (RFC 9113 section 8.7).
        note(error.message.includes("NGHTTP2_REFUSED_STREAM") ? "unprocessed" : error.code);
        status = undefined;
      });
      stream.on("close", () => {
        if (status) note(status);
        done();
      });
      stream.resume();
      stream.end(body);
    })));
session.close();
console.log(Object.entries(ends).sort().map(([name, number]) => `${name}: ${number}`).join("\n"));
