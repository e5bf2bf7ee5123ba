// An API with express-oauth2-jwt-bearer 1.10.0, by its README and EXAMPLES.md, "Require scopes".
import express from "express";
import bearer from "express-oauth2-jwt-bearer";

const { ISSUER, PORT, AUDIENCE } = process.env;
const { auth, requiredScopes } = bearer;

const app = express();
app.use(auth({ issuerBaseURL: ISSUER, audience: AUDIENCE }));
app.get("/orders", requiredScopes("read"), ({ auth }, response) => {
  response.json({ ordersOf: auth.payload.sub });
});
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).set(error.headers ?? {}).end();
});
app.listen(PORT, "localhost");
