// Sends the pushes of a conformance rule with node's http2, on one session that is opened again once it is closed.
import { createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";

const env = process.env;
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const signed =
  `${part({ alg: "ES256", kid: env.APNS_KEY_ID })}.${part({ iss: env.APNS_TEAM_ID, iat: Math.floor(Date.now() / 1000) })}`;
const key = { key: createPrivateKey(readFileSync(env.APNS_KEY)), dsaEncoding: "ieee-p1363" };
const authorization = `bearer ${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
let session;

function open() {
  if (!session || session.closed || session.destroyed) {
    session = connect(`https://${env.APNS_HOST}:${env.APNS_PORT}`, { ca: readFileSync(env.APNS_CA) });
    session.on("error", () => {});
  }
  return session;
}

async function send(token) {
  try {
    const stream = open().request({
      ":method": "POST", ":path": `/3/device/${token}`, authorization,
      "apns-topic": env.APNS_TOPIC, "apns-push-type": "alert",
    });
    stream.setTimeout(8000, () => stream.close());
    stream.end(env.APNS_PAYLOAD);
    const status = await new Promise((done, fail) => {
      stream.on("response", (headers) => done(headers[":status"]));
      stream.on("error", fail).on("close", () => fail(new Error("closed")));
    });
    let body = "";
    for await (const chunk of stream) body += chunk;
    console.log(token, status, body ? JSON.parse(body).reason : "");
  } catch {
    console.log(token, "none");
  }
}

const tokens = env.APNS_TOKENS.split(" ");
if (env.APNS_TOGETHER === "1") await Promise.all(tokens.map(send));
else for (const token of tokens) await send(token);
process.exit(0);
