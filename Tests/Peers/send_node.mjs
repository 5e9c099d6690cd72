// Sends pushes with node's http2: HOST PORT CA AUTHORIZATION TOKEN...; prints the status and reason of each.
import { readFileSync } from "node:fs";
import { connect } from "node:http2";

const [host, port, authority, authorization, ...tokens] = process.argv.slice(2);
const session = connect(`https://${host}:${port}`, { ca: readFileSync(authority) });
for (const token of tokens) {
  const stream = session.request({
    ":method": "POST", ":path": `/3/device/${token}`, authorization, "apns-topic": "com.example.app",
  });
  stream.end(JSON.stringify({ aps: { alert: "node" } }));
  const status = await new Promise((done, fail) =>
    stream.on("response", (headers) => done(headers[":status"])).on("error", fail));
  let body = "";
  for await (const chunk of stream) body += chunk;
  console.log(status, body ? JSON.parse(body).reason : "-");
}
session.close();
