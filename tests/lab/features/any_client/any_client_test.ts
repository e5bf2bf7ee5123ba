import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt, UnsecuredJWT } from "jose";
import { describe } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { forever } from "../../../../src/server/issuer/records/table.ts";
import { ConfigError, memoryStore, type Store } from "../../../../src/server/mod.ts";
import { clientAssertionType } from "../../../../src/server/protocol/client_assertion.ts";
import { makeClientKey } from "../../../support/client_key.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizeAsAlice as authorize, client } from "../../../support/nonce_client.ts";
import { present } from "../../../support/present.ts";
import { assertFindings, assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass(), inLabForAnyone: () => hallpass({ anyClient: true }) });

describe("An unknown client that a test names before a request does", () => {
  it.inLabForAnyone("K3: gets a token and a code, and stays a client of its requests", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", client: "new", scope: "openid" });
    assertEquals(decodeJwt(access_token).client_id, "new");
    const own = { client_id: "newest", redirect_uri: "https://app.example/cb" };
    const { code, code_verifier = "" } = await lab.mint({
      ...{ kind: "code", user: "alice", client: own.client_id, redirectUri: own.redirect_uri },
    });
    const client_secret = "the-first-secret-that-it-sends";
    const { status } = await client.redeem(lab, code, { code_verifier, client_secret, ...own });
    assertEquals(status, 200);
    await using strict = await hallpass();
    await assertRejects(() => strict.mint({ sub: "alice", client: "new" }), LabError, "'new'");
  });
});

describe("An unknown client without a secret", () => {
  const type = (name: string) => `urn:ietf:params:oauth:grant-type:${name}`;
  const refusals: Array<[grantType: string, problem: RegExp]> = [
    ["client_credentials", /^A client must have credentials to use the client credentials grant/],
    [type("jwt-bearer"), /^A client must have credentials to use the JWT bearer grant/],
    [type("token-exchange"), /^The client must have a policy that allows it to exchange tokens/],
  ];
  for (const [grantType, problem] of refusals) {
    it.inLabForAnyone(`cannot use a grant for clients that authenticate: ${grantType}`, async (lab) => {
      const { status, body } = await client.token(lab, {
        ...{ grant_type: grantType, client_id: "unknown", assertion: "x", subject_token: "x" },
        subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      });
      assertEquals([status, body.error], [400, "unauthorized_client"]);
      assertMatch(body.error_description, problem);
    });
  }
});

describe("An unknown client that was admitted", () => {
  const { inLab } = itWith({
    inLab: () => openLab({ issuer: "https://hallpass.test", anyClient: true }),
  });
  const find = (lab: Lab, id: string) => lab.context.records.clients.find(id);
  const name = (lab: Lab, client_id: string) =>
    lab.fetch(new Request(client.authorizationUrl(lab, { client_id })));

  inLab("is one of 1,000, which were used last: any web page can name some", async (lab) => {
    for (let at = 0; at <= 1000; at++) await name(lab, `client-${at}`);
    const found = ["client-0", "client-1", "client-1000"].map((id) => find(lab, id));
    assertEquals((await Promise.all(found)).map(Boolean), [false, true, true]);
  });

  inLab("is forgotten at a reset: a client of its name keeps its settings", async (lab) => {
    await name(lab, "known");
    const stored = { ...present(await find(lab, "known")), redirectUris: [] };
    await lab.reset();
    await lab.context.records.clients.put("known", stored, forever);
    await name(lab, "known");
    assertEquals((await find(lab, "known"))?.redirectUris, []);
  });

  it("may name more URIs, even if a reset came before its row was written", async () => {
    const written = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { batch: _, ...inner } = memoryStore();
    const store: Store = {
      ...inner,
      async put(kind, ...rest) {
        arrived.resolve();
        if (kind === "client") await written.promise;
        return await inner.put(kind, ...rest);
      },
    };
    await using lab = openLab({ issuer: "https://hallpass.test", anyClient: true, store });
    const first = name(lab, "slow");
    await arrived.promise;
    await lab.reset();
    written.resolve();
    await first;
    const other = { client_id: "slow", redirect_uri: "https://two.example/cb" };
    await lab.fetch(new Request(client.authorizationUrl(lab, other)));
    assertEquals((await find(lab, "slow"))?.redirectUris?.includes(other.redirect_uri), true);
  });
});

describe("PKCE of unknown clients", () => {
  const old = { client_id: "old", redirect_uri: "https://app.example/cb" };
  const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };

  it.inLabForAnyone("is required", async (lab) => {
    const { parameters } = await authorize(lab, { ...old, ...noChallenge });
    assertEquals(parameters.error, "invalid_request");
  });

  for (const secret of [undefined, "a-secret"]) {
    const kind = secret === undefined ? "without" : "with";
    it(`is optional by a leniency, ${kind} a secret, which the report names`, async () => {
      await using lab = await hallpass({ anyClient: true, unknownClientPkce: "optional" });
      const code = await client.code(lab, { ...old, ...noChallenge });
      const fields = { ...old, client_secret: secret, code_verifier: undefined };
      assertEquals((await client.redeem(lab, code, fields)).status, 200);
      assertFindings(lab, ["challenge-missing"]);
      const leniencies = ["anyClient", "unknownClientPkce: optional"];
      assertReport(lab, { clean: false, leniencies });
    });
  }

  it("stays required for the clients of the configuration", async () => {
    await using lab = await hallpass({ anyClient: true, unknownClientPkce: "optional" });
    assertEquals((await authorize(lab, noChallenge)).parameters.error, "invalid_request");
  });

  const inLabWithNonce = () => hallpass({ anyClient: true, unknownClientPkce: "or-nonce" });
  const withNonce = { ...old, ...noChallenge, nonce: "a-nonce-that-nobody-guesses" };
  const redeem = (lab: TestLab, code: string, client_secret?: string) =>
    client.redeem(lab, code, { ...old, client_secret, code_verifier: undefined });

  it("A19 T21 can be replaced by a nonce and a secret, which the report names", async () => {
    await using lab = await inLabWithNonce();
    const { status } = await redeem(lab, await client.code(lab, withNonce), "a-secret");
    assertEquals(status, 200);
    assertFindings(lab, ["nonce-instead-of-challenge"]);
    const leniencies = ["anyClient", "unknownClientPkce: or-nonce"];
    assertReport(lab, { clean: true, leniencies });
  });

  it("A19 T21 cannot be replaced by a nonce alone", async () => {
    await using lab = await inLabWithNonce();
    const { body } = await redeem(lab, await client.code(lab, withNonce));
    assertEquals(body.error, "invalid_grant");
    const { parameters } = await authorize(lab, { ...withNonce, nonce: undefined });
    assertEquals(parameters.error, "invalid_request");
  });

  for (const unknownClientPkce of ["or-nonce", "optional"] as const) {
    it(`cannot be ${unknownClientPkce} under a profile`, async () => {
      const resources = ["https://a.example"];
      await assertRejects(
        () => hallpass({ profile: "mcp", resources, unknownClientPkce }),
        ConfigError,
        "requires PKCE",
      );
    });
  }
});

const key = await makeClientKey("ES256");

describe("Assertions of unknown clients", () => {
  const clientId = "newcomer";
  const claims = { iss: clientId, sub: clientId, aud: "https://else.example", exp: 1 };

  async function authenticate(lab: TestLab, assertion: string) {
    const { body } = await client.token(lab, {
      grant_type: "client_credentials",
      client_assertion_type: clientAssertionType,
      client_assertion: assertion,
    });
    return body.error;
  }

  it.inLabForAnyone("U11: are accepted by anyClient, each of them, if they are well-formed", async (lab) => {
    const other = await makeClientKey("ES256");
    assertEquals(await authenticate(lab, await key.sign(claims)), undefined);
    assertEquals(await authenticate(lab, await other.sign(claims)), undefined);
    const [request] = lab.requests({ path: "/oauth2/token" });
    assertEquals(request?.client, clientId);
  });

  const malformed: Array<[what: string, changes: Record<string, unknown>]> = [
    ["another subject", { sub: "web" }],
    ["another issuer", { iss: "web" }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
  ];
  for (const [what, changes] of malformed) {
    it.inLabForAnyone(`T11 are refused with ${what}, even with anyClient`, async (lab) => {
      const assertion = await key.sign({ ...claims, ...changes });
      assertEquals(await authenticate(lab, assertion), "invalid_client");
    });
  }

  it.inLabForAnyone("T11 are refused without a signature, or as no JWT, even with anyClient", async (lab) => {
    for (const assertion of [new UnsecuredJWT(claims).encode(), "an-assertion", "a.b.c"]) {
      assertEquals(await authenticate(lab, assertion), "invalid_client");
    }
  });

  it.inLabForAnyone("T11 are verified for a client that the lab knows, or that has a secret", async (lab) => {
    const forged = (id: string) => key.sign({ ...claims, iss: id, sub: id });
    assertEquals(await authenticate(lab, await forged("demo-jwt")), "invalid_client");
    const other = testClient({ client_id: "with-secret", client_secret: "a-secret" });
    assertEquals((await other.token(lab, { grant_type: "client_credentials" })).status, 200);
    assertEquals(await authenticate(lab, await forged("with-secret")), "invalid_client");
  });

  it.inLabForAnyone("T10 are required of a client once it has sent one", async (lab) => {
    assertEquals(await authenticate(lab, await key.sign(claims)), undefined);
    for (const secret of [{}, { client_secret: "a-secret" }]) {
      const fields = { grant_type: "client_credentials", client_id: clientId, ...secret };
      assertEquals((await client.token(lab, fields)).status, 401);
    }
  });

  it.inLab("T11 are refused without anyClient", async (lab) => {
    assertEquals(await authenticate(lab, await key.sign(claims)), "invalid_client");
  });
});
