import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../src/server/features.ts";
import { clientEndpoints } from "../features.ts";
import { basic, encode, openKit } from "../support/kit.ts";

const app = "https://app.example";
const secret = "a-secret-of-thirty-two-characters";
const clients: ClientConfig[] = [
  { id: "spa", redirectUris: [`${app}/cb`, "http://localhost:5173/cb"] },
  { id: "other-spa", redirectUris: ["https://other.example/cb"] },
  { id: "native", native: true, redirectUris: ["http://127.0.0.1/cb", "com.example.app:/cb"] },
  { id: "web", secret, redirectUris: [`${app}/cb`] },
];

/** What a browser may do with a response: "ORIGIN, with credentials", or "*". */
async function answerTo(
  headers: Record<string, string>,
  fields: Record<string, string>,
  path = "/oauth2/token",
) {
  const kit = openKit({ clients });
  const body = encode({
    grant_type: "authorization_code",
    code: "wrong",
    redirect_uri: `${app}/cb`,
    ...fields,
  });
  const { headers: sent } = await kit.request(path, { method: "POST", headers, body });
  const credentials = sent.get("Access-Control-Allow-Credentials");
  return [sent.get("Access-Control-Allow-Origin"), credentials, sent.get("Vary")];
}

const ownHeaders = "Authorization, Content-Type, DPoP, MCP-Protocol-Version";

/** What the response to a preflight allows a script that wants to send some headers. */
async function preflight(asked: string) {
  const kit = openKit({ clients });
  const request = new Request(`${kit.issuer}/oauth2/token`, {
    method: "OPTIONS",
    headers: { Origin: app, "Access-Control-Request-Method": "POST" },
  });
  request.headers.set("Access-Control-Request-Headers", asked);
  const { status, headers } = await kit.server.fetch(request);
  return [
    status,
    headers.get("Access-Control-Allow-Headers"),
    headers.get("Access-Control-Allow-Credentials"),
    headers.get("Vary"),
  ];
}

describe("The token endpoint, and scripts that send credentials", () => {
  const spa = { client_id: "spa" };

  const echoed: Array<[what: string, origin: string, fields: Record<string, string>]> = [
    ["the origin of a redirect URI", app, spa],
    ["the origin of another one", "http://localhost:5173", spa],
    ["loopback with the port that is registered, which is none", "http://127.0.0.1", {
      client_id: "native",
    }],
    ["a grant that is unknown", app, { ...spa, grant_type: "nonsense" }],
    ["a refresh token that is wrong", app, {
      ...spa,
      grant_type: "refresh_token",
      refresh_token: "wrong",
    }],
  ];
  for (const [what, origin, fields] of echoed) {
    it(`lets those of a public client's own origin read its responses and errors: ${what}`, async () => {
      assertEquals(await answerTo({ Origin: origin }, fields), [origin, "true", "Origin"]);
    });
  }

  const others: Array<
    [what: string, headers: Record<string, string>, fields: Record<string, string>]
  > = [
    ["another origin", { Origin: "https://evil.example" }, spa],
    ["the origin of another client", { Origin: "https://other.example" }, spa],
    ["another port", { Origin: "http://localhost:3000" }, spa],
    ["another scheme", { Origin: "http://app.example" }, spa],
    ["an origin that begins alike", { Origin: `${app}.evil.example` }, spa],
    ["no origin", {}, spa],
    ["an opaque origin, as a private scheme has", { Origin: "null" }, { client_id: "native" }],
    ["another port of a native client's loopback", { Origin: "http://127.0.0.1:4711" }, {
      client_id: "native",
    }],
    ["a confidential client", { Origin: app }, { client_id: "web", client_secret: secret }],
    ["a confidential client without its secret", { Origin: app }, { client_id: "web" }],
    ["a client that is unknown", { Origin: app }, { client_id: "nobody" }],
    ["no client", { Origin: app }, {}],
    ["a header that a browser can add by itself", { Origin: app, ...basic("web", secret) }, {}],
    ["such a header beside a public client", { Origin: app, Authorization: "Bearer x" }, spa],
  ];
  for (const [what, headers, fields] of others) {
    it(`sends everybody else a star, and no credentials: ${what}`, async () => {
      assertEquals(await answerTo(headers, fields), ["*", null, null]);
    });
  }

  for (const name of clientEndpoints.filter((each) => each !== "token")) {
    const path = `/oauth2/${name}`;
    it(`is the only one that does: ${path}`, async () => {
      assertEquals(await answerTo({ Origin: app }, spa, path), ["*", null, null]);
    });
  }

  it("responds to a preflight as always: it names no client", async () => {
    const kit = openKit({ clients });
    const headers = { Origin: app, "Access-Control-Request-Method": "POST" };
    const { headers: sent } = await kit.request("/oauth2/token", { method: "OPTIONS", headers });
    assertEquals(sent.get("Access-Control-Allow-Origin"), "*");
    assertEquals(sent.get("Access-Control-Allow-Credentials"), null);
  });

  it("I2: allows the headers that a preflight asks for, never credentials", async () => {
    const [status, allowed, credentials, vary] = await preflight("auth0-client, X-Trace-Id,dpop");
    assertEquals(status, 204);
    assertEquals(allowed, `${ownHeaders}, auth0-client, x-trace-id`);
    assertEquals([credentials, vary], [null, "Access-Control-Request-Headers"]);
  });

  const tooMuch: Array<[what: string, asked: string]> = [
    ["a name that is no token", "x-good, x bad"],
    ["a name with a line break in it", "x-good, x\u0085bad"],
    ["an empty name", "x-good,,x-other"],
    ["a wildcard that would stand for all", "*"],
    ["more than 32 names", Array.from({ length: 33 }, (_, n) => `x-${n}`).join()],
    ["a name of more than 64 characters", `x-${"a".repeat(63)}`],
  ];
  for (const [what, asked] of tooMuch) {
    it(`I2: allows only its own headers to a preflight with ${what}`, async () => {
      assertEquals((await preflight(asked))[1], ownHeaders);
    });
  }

  it("lets keycloak-js have its tokens", async () => {
    const kit = openKit({ clients });
    const changes = { client_id: "spa", redirect_uri: `${app}/cb` };
    const code = (await kit.authorize(changes)).get("code")!;
    const { status, headers } = await kit.redeem(code, changes, {
      Origin: app,
      Cookie: "any=thing",
    });
    assertEquals([status, headers.get("Access-Control-Allow-Origin")], [200, app]);
  });
});
