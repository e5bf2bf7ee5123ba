import { assert, assertEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import { demoPublicKey } from "../../../src/lab/demo/demo_keys.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { signedRequestProblem } from "../../../src/server/features/ciba/signed_request.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  beginFapi,
  beginSigned,
  cibaClaims,
  cibaGrant,
  fapiAgent,
  fapiFields,
  signCiba,
} from "../../support/ciba.ts";
import { assertionType, makeClientKey, signWithSecret } from "../../support/client_key.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { claimsOf, openKit } from "../../support/kit.ts";
import { itRefuses, toRows } from "../../support/refusals.ts";
import { needs } from "../../support/where_feature.ts";

describe("Signed backchannel requests (CIBA, section 7.1.1)", () => {
  it("C14 have their parameters inside, requested_expiry as a number or a string", async () => {
    for (const requested_expiry of [60, "60"]) {
      const { status, body } = await beginSigned(openKit(), { requested_expiry });
      assertEquals([status, body.expires_in], [200, 60]);
    }
  });

  const now = 1_000_000;
  const valid = { iss: "c", aud: "https://op", iat: now, nbf: now, exp: now + 60, jti: "1" };
  const claims: Record<string, [problem: string, changes: Record<string, unknown>]> = {
    "no iss": ["it has no 'iss'", { iss: undefined }],
    "no aud": ["it has no 'aud'", { aud: undefined }],
    "no exp": ["it has no 'exp'", { exp: undefined }],
    "no iat": ["it has no 'iat'", { iat: undefined }],
    "no nbf": ["it has no 'nbf'", { nbf: undefined }],
    "no jti": ["it has no 'jti'", { jti: undefined }],
    "another client": ["its 'iss' is not the client_id", { iss: "d" }],
    "the client as its subject": ["its 'sub' is the client_id", { sub: "c" }],
    "another audience": ["its 'aud' is not 'https://op'", { aud: "https://other" }],
    "no text as its id": ["its 'jti' is not a string", { jti: 1 }],
    "an end long ago": ["it expired 20 seconds ago", { nbf: now - 60, exp: now - 20 }],
    "more than an hour": [
      "its 'exp' is more than an hour after its 'nbf'",
      { exp: now + 3601 },
    ],
    "a beginning in the future": ["its 'nbf' is in the future", { nbf: now + 60, exp: now + 90 }],
  };
  for (const [what, [problem, changes]] of Object.entries(claims)) {
    it(`C15 are refused with ${what}`, () => {
      const given = { ...valid, ...changes };
      const parties = { clientId: "c", issuer: "https://op", now };
      assertEquals(signedRequestProblem(given, parties), problem);
      assertEquals(signedRequestProblem(valid, parties), undefined);
    });
  }

  itRefuses({
    "C14 a parameter besides the signed request": [
      "backchannel.object_alone",
      async (kit) => await beginCiba(kit, { request: await signCiba(kit), binding_message: "x" }),
    ],
    "C14 an unsigned request of a client that registered an algorithm": ["backchannel.signed", {
      settings: { clients: [agent({ backchannelRequestAlg: "ES256" })] },
      play: (kit) => beginCiba(kit),
    }],
    "C14 a list in the place of a value, of which one would count": [
      "form.unique",
      (kit) => beginSigned(kit, { login_hint: ["alice", "bob"] as never }),
    ],
    "C15 another algorithm than the registered one": ["backchannel.object", {
      settings: { clients: [agent({ backchannelRequestAlg: "PS256" })] },
      play: (kit) => beginSigned(kit),
    }],
    "C15 the secret of the client as the key": ["backchannel.object", async (kit) => {
      const request = await signWithSecret("demo-agent-secret", cibaClaims(kit));
      return await beginCiba(kit, { request, scope: undefined, login_hint: undefined });
    }],
    "C15 the algorithm none": ["backchannel.object", async (kit) => {
      const request = new UnsecuredJWT(cibaClaims(kit)).encode();
      return await beginCiba(kit, { request, scope: undefined, login_hint: undefined });
    }],
    "C15 the key of another client": ["backchannel.object", async (kit) => {
      const request = await (await makeClientKey()).sign(cibaClaims(kit));
      return await beginCiba(kit, { request, scope: undefined, login_hint: undefined });
    }],
    "C15 a signature of nobody": ["backchannel.object", async (kit) => {
      const [header, claims] = (await signCiba(kit)).split(".");
      const request = `${header}.${claims}.`;
      return await beginCiba(kit, { request, scope: undefined, login_hint: undefined });
    }],
    "C15 a request for another server": [
      "backchannel.object",
      (kit) => beginSigned(kit, { aud: "https://other.example" }),
    ],
    "C15 a client assertion": ["backchannel.object", async (kit) => {
      const request = (await fapiFields(kit)).client_assertion;
      return await beginCiba(kit, { request, scope: undefined, login_hint: undefined });
    }],
  });

  it("C15 are no client assertions", async () => {
    const kit = openKit({ clients: [fapiAgent] });
    const { body } = await beginCiba(kit, {
      client_assertion_type: assertionType,
      client_assertion: await signCiba(kit, { sub: "demo-agent" }),
    }, {});
    // Without `sub` it is no assertion; with it, it is none of these requests.
    assertEquals(body.auth_req_id === undefined, false);
    const refused = await beginCiba(kit, {
      client_assertion_type: assertionType,
      client_assertion: await signCiba(kit),
    }, {});
    assertEquals(refused.body.error, "invalid_client");
    const request = await signCiba(kit, { sub: "demo-agent" });
    const fields = { ...await fapiFields(kit), request, scope: undefined, login_hint: undefined };
    assertEquals((await beginCiba(kit, fields, {})).body.error, "invalid_request");
  });
});

describe("The profile fapi-2.0 (FAPI-CIBA, section 5.2.2)", () => {
  const par = needs("pushed authorization requests");
  const settings: Partial<LabConfig> = { profile: "fapi-2.0", clients: [fapiAgent] };

  it(
    "C20 C21 C22 takes a signed request with a binding_message, of a client with a key, and binds its tokens",
    par,
    async () => {
      const kit = openKit({ ...settings, acrValues: ["one"] });
      const begun = await beginFapi(kit, { acr_values: "one" });
      assertEquals(begun.status, 200);
      await answerCiba(kit);
      const proof = await makeProof(
        await proofKey(),
        "POST",
        `${kit.issuer}/oauth2/token`,
        { now: kit.clock.now },
      );
      const { body } = await kit.token({
        grant_type: cibaGrant,
        auth_req_id: begun.body.auth_req_id,
        ...await fapiFields(kit),
      }, { DPoP: proof });
      assertEquals([body.token_type, claimsOf(body.id_token).acr], ["DPoP", "one"]);
    },
  );

  it(
    "C21 takes authorization details in place of a binding_message: they tell requests apart",
    par,
    async () => {
      const kit = openKit({
        ...settings,
        authorizationDetails: { pay: { meaning: "Pay", members: {} } },
      });
      const { status } = await beginFapi(kit, {
        binding_message: undefined,
        authorization_details: [{ type: "pay" }],
      });
      assertEquals(status, 200);
    },
  );

  if (par.skip === false) {
    itRefuses(
      toRows(
        {
          "C20 an unsigned request": [
            "backchannel.signed",
            async (kit: Parameters<typeof beginFapi>[0]) =>
              await beginCiba(kit, await fapiFields(kit), {}),
          ],
          "C21 a request that the user cannot tell apart": [
            "backchannel.binding_message_present",
            (kit: Parameters<typeof beginFapi>[0]) =>
              beginFapi(kit, { binding_message: undefined }),
          ],
          "C20 a request that lasts for more than an hour": [
            "backchannel.object",
            (kit: Parameters<typeof beginFapi>[0]) =>
              beginFapi(kit, { exp: Math.floor(kit.clock.now / 1000) + 3700 }),
          ],
        } as const,
        (row) => [...row],
      ),
      { settings },
    );
  }

  it("C22 wants confidential clients with keys, and has no push", () => {
    const client = { id: "a", grantTypes: [cibaGrant] };
    const base = { issuer: "https://id.example", grantTypes: [cibaGrant] };
    assertEquals(problemsOf({ ...base, clients: [client] }), [
      "clients[0].secret is missing, but the client may use the CIBA grant",
    ]);
    const secret = "0123456789-0123456789-0123456789";
    const problems = problemsOf({ ...base, profile: "fapi-2.0", clients: [{ ...client, secret }] });
    assert(problems.some((problem) => problem.startsWith("clients[0].secret must be left out")));
    const push = { ...client, jwks: { keys: [demoPublicKey] }, backchannelDeliveryMode: "push" };
    assertEquals(problemsOf({ ...base, clients: [push as never] }), [
      "clients[0].backchannelDeliveryMode must be one of: poll, ping",
    ]);
  });
});
