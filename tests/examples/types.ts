// Checks the types that an editor shows. A line below "@ts-expect-error" must be an error.
import { type Config, createServer, type RouteContext, type Server } from "hallpass";
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
const sent: RecordedRequest = await lab.waitForRequest(
  { path: "/oauth2/token", secrets: true },
  { timeout: "1s" },
);
const drop: FaultName = "jwks.dropped";
lab.fault(drop, { nth: 2, delay: "500ms" });
lab.on("token", ({ claims }) => void (claims.roles = ["admin"]), { client: "web" });
lab.on("redirect", ({ redirectUri, parameters }) => ({ redirectUri, parameters }));
lab.next("userinfo", { status: 503, times: 2 });
lab.signIn("alice", { times: 1 });
const tenant: TestLab = await lab.tenant({ id: "acme", alg: "ES256" });
const global: typeof fetch = lab.fetch;

// @ts-expect-error: unknown fault
lab.fault("token.server_eror");
// @ts-expect-error: unknown option of a fault
lab.fault("token.server_error", { clint: "web" });
// @ts-expect-error: unknown hook
lab.on("tokens", () => {});
// @ts-expect-error: a redirect has no claims
lab.on("redirect", ({ claims }) => void claims);
// @ts-expect-error: unknown endpoint
lab.next("userinfos");
// @ts-expect-error: not a duration
lab.clock.advance("soon");
// @ts-expect-error: a token needs a sub
await lab.mint({ scope: "read" });
// @ts-expect-error: unknown decision
await lab.authorize("/oauth2/authorize", { decision: "maybe" });
// @ts-expect-error: unknown setting
await hallpass({ algorithm: "RS256" });
// @ts-expect-error: unknown algorithm
await hallpass({ alg: "HS256" });
// @ts-expect-error: the code may be missing
const always: string = result.code;
// @ts-expect-error: a server needs an issuer
createServer({});

const whoAmI = async (ctx: RouteContext, request: Request): Promise<Response> =>
  Response.json({ name: (await ctx.findSignedInUser(request))?.name });
const config: Config = {
  issuer: "https://id.example",
  routes: [{ method: "GET", path: "/whoami", kind: "api", handler: whoAmI, cors: true }],
  store: sqliteStore("id.db"),
  clients: [{ id: "web", jwks: { keys: [{ kty: "EC" }] } }],
};
const server: Server = createServer(config);
await server.ready();
await serve(server, { port: 9000 });
const api = protectedResource({
  resource: "https://api.example",
  authorizationServers: ["https://id.example"],
});
const access: VerifiedAccess | Response = await api.require(new Request("https://api.example/"), {
  scope: ["read"],
});
void [access_token, id_token, code, sent, tenant, global, always, access, LabError, storeContract];
