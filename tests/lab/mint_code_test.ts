import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import {
  hallpass,
  LabError,
  type MintCodeOptions,
  type MintedCode,
  type TestLab,
} from "../../src/lab/testing/mod.ts";
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { assertClean } from "../support/reported.ts";
import { challenge, type Fields, testClient, verifier } from "../support/test_client.ts";

const it = itWith({ inLab: () => hallpass() });

/** Redeems a minted code as its client, with a test's changes. */
function redeem(
  lab: TestLab,
  { code, client_id, redirect_uri, code_verifier = verifier }: MintedCode,
  changes: Fields = {},
) {
  return testClient().redeem(lab, code, { client_id, redirect_uri, code_verifier, ...changes });
}

const asAlice = { kind: "code", user: "alice", client: "demo-spa" } as const;

describe("A minted code", () => {
  it.inLab("is redeemed once, with the redirect URI and the verifier that come with it", async (lab) => {
    const minted = await lab.mint({ ...asAlice, scope: "openid offline_access read" });
    const { token, code, callback, redirect_uri } = minted;
    assertEquals([token, redirect_uri], [code, `${lab.issuer}/authorized`]);
    assertEquals(callback, `${redirect_uri}?code=${code}&iss=${encodeURIComponent(lab.issuer)}`);
    const { status, body } = await redeem(lab, minted);
    assertEquals([status, body.scope], [200, "openid offline_access read"]);
    const { sub, aud, nonce } = decodeJwt(body.id_token);
    assertEquals([sub, aud, nonce], ["alice", "demo-spa", undefined]);
    assertClean(lab);
    assertEquals((await redeem(lab, minted)).body.error, "invalid_grant");
    assertEquals((await testClient().userinfo(lab, body.access_token)).status, 401);
  });

  it.inLab("has the nonce, state, challenge, redirect URI, scope and audience of the test", async (lab) => {
    lab.clients.put({
      id: "app",
      redirectUris: ["https://app.example/a", "https://app.example/b?x=1"],
    });
    const minted = await lab.mint({
      ...asAlice,
      client: "app",
      redirectUri: "https://app.example/b?x=1",
      scope: "openid read",
      audience: "https://api.example",
      nonce: "n-1",
      state: "s 1",
      codeChallenge: challenge,
    });
    assertEquals(minted.code_verifier, undefined);
    assertMatch(minted.callback, /^https:\/\/app\.example\/b\?x=1&code=[\w-]{43}&state=s%201&iss=/);
    const { body } = await redeem(lab, minted);
    assertEquals(decodeJwt(body.id_token).nonce, "n-1");
    assertEquals(decodeJwt(body.access_token).aud, "https://api.example");
  });

  it.inLab("needs no verifier where the client may do without PKCE", async (lab) => {
    const redirectUris = ["https://app.example/callback"];
    lab.clients.put({ id: "app", secret: "app-secret", pkce: "optional", redirectUris });
    const minted = await lab.mint({ kind: "code", user: "bob", client: "app" });
    assertEquals(minted.code_verifier, undefined);
    const app = testClient({ client_id: "app", client_secret: "app-secret" });
    const { code, redirect_uri } = minted;
    const { status } = await app.redeem(lab, code, { redirect_uri, code_verifier: undefined });
    assertEquals(status, 200);
  });

  it.inLab("is checked as any other", async (lab) => {
    const cases: Array<[string, Record<string, string>]> = [
      ["another redirect URI", { redirect_uri: "https://other.example/" }],
      ["another verifier", { code_verifier: verifier }],
      ["another client", { client_id: "demo-cli" }],
    ];
    const minted = await lab.mint(asAlice);
    for (const [name, changes] of cases) {
      assertEquals((await redeem(lab, minted, changes)).status, 400, name);
    }
    assertEquals((await redeem(lab, minted)).status, 200);
  });

  it.inLab("expires when the test says", async (lab) => {
    const expired = await lab.mint({ ...asAlice, expiresIn: "-1s" });
    assertEquals((await redeem(lab, expired)).body.error, "invalid_grant");
    const brief = await lab.mint({ ...asAlice, expiresIn: "10s" });
    lab.clock.advance("11s");
    assertEquals((await redeem(lab, brief)).body.error, "invalid_grant");
    const usual = await lab.mint(asAlice);
    lab.clock.advance("11s");
    assertEquals((await redeem(lab, usual)).status, 200);
  });

  it.inLab("is a kind of POST /lab/tokens as well", async (lab) => {
    assertEquals(
      (await redeem(lab, (await callLab(lab, "POST /tokens", asAlice)).json)).status,
      200,
    );
  });

  it.inLab("is no other kind of token at POST /lab/codes", async (lab) => {
    const { status, json } = await callLab(lab, "POST /codes", { ...asAlice, kind: "refresh" });
    assertEquals(status, 400);
    assertMatch(json.error_description, /Cannot mint a code: 'kind' must be 'code'/);
    assertEquals((await callLab(lab, "POST /codes", asAlice)).status, 200);
  });

  it.inLab("is refused for what the authorization endpoint refuses, with what exists", async (lab) => {
    lab.users.put({ name: "zoe", disabled: true });
    lab.clients.put({ id: "https://app.example/", redirectUris: ["https://app.example/cb"] });
    const cases: Array<[string, Record<string, unknown>, string]> = [
      ["no user", { user: undefined }, "'user' is"],
      ["an unknown user", { user: "nobody" }, "Choose one of: alice"],
      ["a disabled user", { user: "zoe" }, "no user who can sign in 'zoe'"],
      ["an unknown client", { client: "other" }, "Choose one of: demo-spa"],
      ["a client without users", { client: "demo-service" }, "redirect_uri"],
      ["another redirect URI", { redirectUri: "https://other.example/" }, "redirect_uri"],
      ["an unknown scope", { scope: "no-such-scope" }, "scope"],
      ["a client as the API", { audience: "https://app.example/" }, "the id of a client"],
      ["a malformed challenge", { codeChallenge: "short" }, "43 characters"],
      ["an unknown option", { claims: {} }, "'claims'"],
      ["a kind of token", { sub: "alice" }, "'sub'"],
      ["a long life", { expiresIn: "1h" }, "at most 300 seconds"],
      ["a malformed life", { expiresIn: "soon" }, "soon"],
    ];
    for (const [name, changes, message] of cases) {
      const options = { ...asAlice, ...changes } as MintCodeOptions;
      const error = await assertRejects(() => lab.mint(options), LabError);
      assertEquals(error.message.includes(message), true, `${name}: ${error.message}`);
    }
  });
});
