// What an editor says, to the letter: a line below "expect an error" that has none is one.
import { type Config, createServer } from "hallpass";
import { protectedResource, type VerifiedAccess } from "hallpass/resource";
import { serve } from "hallpass/serve";
import { sqliteStore } from "hallpass/sqlite";
import {
  type AuthorizationResult,
  type FaultName,
  hallpass,
  LabError,
  type RecordedRequest,
  storeContract,
  type TestLab,
} from "hallpass/testing";

const lab: TestLab = await hallpass({
  clients: [{ id: "web", redirectUris: ["http://localhost:3000/callback"] }],
  listen: false,
});
const { access_token, id_token }: { access_token: string; id_token?: string } = await lab.mint({
  sub: "alice",
  expiresIn: "-1m",
});
const result: AuthorizationResult = await lab.authorize("/oauth2/authorize", { user: "alice" });
const code: string | undefined = result.code;
const sent: RecordedRequest = await lab.waitForRequest({ path: "/oauth2/token", secrets: true });
const drop: FaultName = "jwks.dropped";
lab.fault(drop, { nth: 2, delay: "500ms" });
const tenant: TestLab = await lab.tenant({ id: "acme", alg: "ES256" });
const global: typeof fetch = lab.fetch;

// @ts-expect-error: no such fault
lab.fault("token.server_eror");
// @ts-expect-error: faults have no such member
lab.fault("token.server_error", { clint: "web" });
// @ts-expect-error: no duration
lab.clock.advance("soon");
// @ts-expect-error: a token is about somebody
await lab.mint({ scope: "read" });
// @ts-expect-error: one allows or denies
await lab.authorize("/oauth2/authorize", { decision: "maybe" });
// @ts-expect-error: no such setting
await hallpass({ algorithm: "RS256" });
// @ts-expect-error: no such algorithm
await hallpass({ alg: "HS256" });
// @ts-expect-error: the code may be missing
const always: string = result.code;
// @ts-expect-error: a server has an issuer
createServer({});

const config: Config = {
  issuer: "https://id.example",
  store: sqliteStore("id.db"),
  clients: [{ id: "web", jwks: { keys: [{ kty: "EC" }] } }],
};
await serve(createServer(config), { port: 9000 });
const api = protectedResource({
  resource: "https://api.example",
  authorizationServers: ["https://id.example"],
});
const access: VerifiedAccess | Response = await api.require(new Request("https://api.example/"), {
  scope: ["read"],
});
void [access_token, id_token, code, sent, tenant, global, always, access, LabError, storeContract];
