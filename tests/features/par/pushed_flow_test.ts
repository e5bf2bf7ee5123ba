import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { problemsOf } from "../../support/config_problems.ts";
import { makeProof, type ProofKey, proofKey } from "../../support/dpop.ts";
import { type Fields, type Kit, openKit, read, web } from "../../support/kit.ts";
import { brokenRule, itRefuses } from "../../support/refusals.ts";
import { pushRequest } from "./fixtures.ts";

async function proofFor(kit: Kit, path = "/oauth2/token", key?: ProofKey) {
  const { issuer, clock: { now } } = kit;
  return { DPoP: await makeProof(key ?? await proofKey(), "POST", issuer + path, { now }) };
}

describe("A pushed request, from its beginning to its end", () => {
  it("begins at the back channel, and the browser goes on with it at the front channel", async () => {
    const frontChannelUrl = "http://localhost:9000";
    const kit = openKit({ issuer: "http://hallpass:9000", frontChannelUrl });
    const redirect_uri = `${frontChannelUrl}/authorized`;
    const { body: { request_uri } } = await pushRequest(kit, { redirect_uri });
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    const url = `${frontChannelUrl}/oauth2/authorize?${query}`;
    assertEquals((await kit.server.fetch(new Request(url))).status, 303);
  });

  it("may have authorization details (RFC 9396)", async () => {
    const kit = openKit();
    const files = { type: "file_access", actions: ["read"], path: "/photos", recursive: true };
    const authorization_details = JSON.stringify([files]);
    const { body: { request_uri } } = await pushRequest(kit, { authorization_details });
    const { body } = await kit.redeem(await kit.code({ request_uri }));
    assertEquals(body.authorization_details, [files]);
    const refused = await pushRequest(kit, { authorization_details: "[]" });
    assertEquals([refused.status, refused.body.error], [400, "invalid_authorization_details"]);
  });

  it("is named by the events of each request that concerns it, by an id that is no part of it", async () => {
    const seen: Array<string | undefined> = [];
    const kit = openKit({
      onEvent: (event, request) =>
        event.type === "request.handled" && request && seen.push(request.pushedRequest),
    });
    const { body: { request_uri } } = await pushRequest(kit);
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    await kit.browser().authorize(`${kit.issuer}/oauth2/authorize?${query}`);
    const [id = ""] = seen;
    assert(id !== "" && !request_uri.includes(id));
    assertEquals([seen.length > 2, seen.filter((each) => each !== id)], [true, []]);
  });

  it("is reported by an event", async () => {
    const kit = openKit();
    await pushRequest(kit, { client_id: undefined }, web);
    const pushed = kit.events.filter(({ type }) => type === "request.pushed");
    assertEquals(pushed.map((event) => "client" in event && event.client), ["demo-web"]);
  });

  it("M8: does not count for storage if its client has authenticated", async () => {
    const kit = openKit({ storedBytesPerMinute: 4000 });
    kit.address = "192.0.2.66";
    for (let n = 0; n < 50; n++) {
      assertEquals((await pushRequest(kit, { client_id: undefined }, web)).status, 201);
    }
  });
});

describe("A nonce instead of PKCE in a pushed request (RFC 9126, section 2.1)", () => {
  const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };
  const nonce = "a-nonce-that-nobody-guesses";
  const push = (kit: Kit, changes: Fields) =>
    pushRequest(kit, { client_id: undefined, scope: "openid", ...unchallenged, ...changes }, web);

  it("A19 counts if it was pushed", async () => {
    const kit = openKit();
    const { body: { request_uri } } = await push(kit, { nonce });
    const code = await kit.code({ client_id: "demo-web", request_uri, nonce: undefined });
    const fields = { client_id: undefined, code_verifier: undefined };
    assertEquals((await kit.redeem(code, fields, web)).status, 200);
  });

  it("A19 is missed at the push, so that none beside the request_uri could replace it", async () => {
    const kit = openKit();
    const refused = [await push(kit, {}), await push(kit, { nonce, scope: "read" })];
    assertEquals(refused.map(({ status }) => status), [400, 400]);
    assertEquals(brokenRule(kit), "challenge.or_nonce");
  });
});

describe("That requests must be pushed", () => {
  it("is advertised if all of them must", async () => {
    const { body } = await read(
      await openKit({ requirePar: true }).get("/.well-known/openid-configuration"),
    );
    assertEquals(body.require_pushed_authorization_requests, true);
  });

  it("cannot be optional for one client if the server requires it of every client", () => {
    const client = { id: "a", redirectUris: ["https://app.example/cb"], requirePar: false };
    const config = { issuer: "https://id.example", requirePar: true, clients: [client] };
    assertEquals(problemsOf(config), [
      "clients[0].requirePar is false, but the server requires it of every client",
    ]);
  });
});

describe("A pushed request and a key (RFC 9449, section 10)", () => {
  it("ensure-dpopproof-at-par-endpoint-binding-success: a proof at the PAR endpoint binds it as well", async () => {
    const kit = openKit();
    const { body } = await pushRequest(kit, {}, await proofFor(kit, "/oauth2/par"));
    const code = await kit.code({ request_uri: body.request_uri });
    const another = await proofFor(kit, "/oauth2/token", await proofKey("ES256 another"));
    assertEquals((await kit.redeem(code, {}, another)).body.error, "invalid_grant");
    assertEquals((await kit.redeem(code, {}, await proofFor(kit))).status, 200);
  });

  itRefuses({
    "dpop-negative-tests: a bad proof at the PAR endpoint": [
      "dpop.htu",
      async (kit) => pushRequest(kit, {}, await proofFor(kit)),
    ],
  });

  it("ensure-mismatched-dpop-jkt-fails: both may name the key, and then must agree", async () => {
    const kit = openKit();
    const [key, another] = [await proofKey(), await proofKey("ES256 another")];
    const send = async (dpop_jkt: string) =>
      (await pushRequest(kit, { dpop_jkt }, await proofFor(kit, "/oauth2/par"))).status;
    assertEquals([await send(key.jkt), await send(another.jkt)], [201, 400]);
  });
});
