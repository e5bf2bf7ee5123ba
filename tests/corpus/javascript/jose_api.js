// An API with jose 6.2.18, by its documentation of jwtVerify and createRemoteJWKSet.
import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const { ISSUER, PORT, AUDIENCE } = process.env;
const keys = createRemoteJWKSet(new URL(`${ISSUER}/oauth2/jwks`));

const app = express();
app.get("/orders", async (request, response) => {
  const [, token] = /^bearer ([^ ]+)$/i.exec(request.get("Authorization") ?? "") ?? [];
  if (token === undefined) return response.status(401).set("WWW-Authenticate", "Bearer").end();
  let payload;
  try {
    ({ payload } = await jwtVerify(token, keys, { issuer: ISSUER, audience: AUDIENCE }));
  } catch {
    return response.status(401).set("WWW-Authenticate", `Bearer error="invalid_token"`).end();
  }
  if (!String(payload.scope ?? "").split(" ").includes("read")) {
    const challenge = `Bearer error="insufficient_scope", scope="read"`;
    return response.status(403).set("WWW-Authenticate", challenge).end();
  }
  response.json({ ordersOf: payload.sub });
});
app.listen(PORT, "localhost");
