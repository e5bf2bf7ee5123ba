import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type RequestOptions } from "node:https";
import { it } from "node:test";
import { serveApi } from "./apps/certificate_api.ts";

const audience = "https://api.example";

it("takes a bound token over a connection with its certificate alone", async () => {
  await using lab = await hallpass({ mtls: {} });
  using _ = lab.intercept();
  const server = await lab.certificate("localhost");
  const [web, other] = [await lab.certificate("web"), await lab.certificate("other")];
  const api = await serveApi(lab.issuer, audience, server.cert, server.key);
  const claims = { cnf: { "x5t#S256": web.thumbprint } };
  const { token } = await lab.mint({ sub: "alice", audience, claims });
  const statusWith = async (certificate: RequestOptions = {}) => {
    const headers = { Authorization: `Bearer ${token}` };
    const target = { port: api.port, rejectUnauthorized: false, agent: false, headers };
    const [response] = await once(request({ ...target, ...certificate }).end(), "response");
    return response.resume().statusCode;
  };

  assert.equal(await statusWith({ cert: web.cert, key: web.key }), 200);
  assert.equal(await statusWith({ cert: other.cert, key: other.key }), 401);
  assert.equal(await statusWith(), 401);
  await api.close();
});
