import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { checkFactsOf } from "../../../src/lab/flows/check_facts.ts";
import { exchangesOfFlow } from "../../../src/lab/flows/describe_flow.ts";
import { type FlowCheck, flowChecksOf } from "../../../src/lab/flows/flow_checks.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { demoClientIds } from "../../support/demo_client_ids.ts";
import {
  authorizationUrlIn,
  flowCode,
  flowIssuer,
  redeemIn,
  refreshIn,
  revokeIn,
  tokenIn,
  userinfoIn,
} from "../../support/lab_flow.ts";
import { present } from "../../support/present.ts";
import { featuresOf, needs } from "../../support/where_feature.ts";

/** What a client does last, and the checks that fail: what was expected, and what came. */
type FailureCase = readonly [
  what: string,
  play: (lab: Lab) => Promise<unknown>,
  failed: readonly string[],
];

const ask = (lab: Lab, changes: Record<string, string>) =>
  lab.fetch(new Request(authorizationUrlIn(lab, changes)));

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const failures: readonly FailureCase[] = [
  ["makes no mistake", async (lab) => await redeemIn(lab, await flowCode(lab)), []],
  ["is denied access by its user", async (lab) => {
    await lab.authorize(authorizationUrlIn(lab), { user: "alice", decision: "deny" });
  }, ["The user must allow the request: undefined ≠ undefined"]],
  ["is unknown", (lab) => ask(lab, { client_id: "who" }), [
    `The client_id must be that of a known client: one of ${demoClientIds.join(", ")} ≠ 'who'`,
  ]],
  ["has another redirect URI", (lab) => ask(lab, { redirect_uri: "https://evil.test/" }), [
    "The redirect_uri must be identical to one that the client registered: https://hallpass.test/authorized ≠ https://evil.test/",
  ]],
  ["asks for a token", (lab) => ask(lab, { response_type: "token" }), [
    "The response_type must be 'code': code ≠ token",
  ]],
  ["sends its challenge as plain", (lab) => ask(lab, { code_challenge_method: "plain" }), [
    "The code_challenge_method must be 'S256': S256 ≠ plain",
  ]],
  ["asks for an impossible max_age", (lab) => ask(lab, { max_age: "soon" }), [
    "The max_age must be a whole number of seconds, in digits: undefined ≠ soon",
  ]],
  ["sends another verifier", async (lab) => {
    await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) });
  }, [
    `The code_verifier must match the code_challenge: the SHA-256 ${challenge} ≠ ` +
    "the SHA-256 kxR_lMiyp4tyeni4Ddrqn5DNPwlbiu5liDPc5hTIciI",
  ]],
  ["redeems its code too late", async (lab) => {
    const code = await flowCode(lab);
    lab.clock.advance("7m");
    await redeemIn(lab, code);
  }, [
    "The code must not have expired: a code that has not expired ≠ one that expired 2 minutes ago",
  ]],
  ["redeems its code with another redirect URI", async (lab) => {
    await redeemIn(lab, await flowCode(lab), { redirect_uri: "https://hallpass.test/callback" });
  }, [
    "The redirect_uri must be identical to the one of the authorization request: https://hallpass.test/authorized ≠ " +
    "https://hallpass.test/callback",
  ]],
  ["redeems its code twice", async (lab) => {
    const code = await flowCode(lab);
    await redeemIn(lab, code);
    await redeemIn(lab, code);
  }, ["The code must not have been used before: its first use ≠ used before, in request 6"]],
  ["redeems the code of another client", async (lab) => {
    await redeemIn(lab, await flowCode(lab), {
      client_id: "demo-web",
      client_secret: "demo-web-secret",
    });
  }, [
    "The code must have been issued to the client that presents it: the client 'demo-spa' ≠ the client 'demo-web'",
  ]],
  ["sends a secret that is wrong", (lab) => {
    return tokenIn(lab, {
      grant_type: "client_credentials",
      client_id: "demo-service",
      client_secret: "wrong",
    });
  }, [
    "The client must authenticate in the way it is registered for: the secret of the client 'demo-service' ≠ " +
    "client_secret_post, wrong secret of 5 characters",
  ]],
  ["sends a token request by GET", (lab) => {
    return lab.fetch(new Request(`${flowIssuer}/oauth2/token?client_id=demo-spa`));
  }, ["The method must be one that the URL supports: POST ≠ GET"]],
  ["sends JSON in place of a form", (lab) => {
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: '{"client_id":"demo-spa"}' };
    return lab.fetch(new Request(`${flowIssuer}/oauth2/token`, request));
  }, [
    "The Content-Type must be application/x-www-form-urlencoded: application/x-www-form-urlencoded ≠ application/json",
  ]],
  ["refreshes twice", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
    await refreshIn(lab, refresh_token);
  }, [
    "The refresh token must not have been used before: its first use ≠ used before, in request 7",
  ]],
  ["refreshes after it revoked its token", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await revokeIn(lab, refresh_token);
    await refreshIn(lab, refresh_token);
  }, [
    "The authorization of the refresh token must be active: an active authorization ≠ " +
    "revoked in request 7: its refresh token was revoked",
  ]],
  ["uses an access token after a code was used twice", async (lab) => {
    const code = await flowCode(lab);
    const { access_token } = await redeemIn(lab, code);
    await redeemIn(lab, code);
    await userinfoIn(lab, access_token);
  }, [
    "The access token must be active: " +
    "an active token for https://hallpass.test ≠ revoked in request 7: its code was used twice",
  ]],
  ["uses an access token too late", async (lab) => {
    const { access_token } = await redeemIn(lab, await flowCode(lab));
    lab.clock.advance("65m");
    await userinfoIn(lab, access_token);
  }, [
    "The access token must be active: " +
    "an active token for https://hallpass.test ≠ one that expired 5 minutes ago",
  ]],
  ["gets a wrong state", async (lab) => {
    lab.fault("callback.wrong_state");
    await flowCode(lab);
  }, ["The state is the one that the client sent: a-state ≠ another-state"]],
  ["gets a wrong nonce", async (lab) => {
    lab.fault("id_token.wrong_nonce");
    await redeemIn(lab, await flowCode(lab));
  }, ["The nonce is the one that the client sent: a-nonce ≠ another-nonce"]],
];

describe("The checks of the last request of a client that", () => {
  for (const [what, play, failed] of failures) {
    it(
      `${what} show ${failed.length > 0 ? "that" : "no mistake"}`,
      needs(...featuresOf(play)),
      async () => {
        await using lab = openLab({ issuer: flowIssuer });
        await play(lab);
        const checks = await lastChecks(lab);
        assertEquals(checks.filter(({ isPassed }) => !isPassed).map(describeCheck), failed);
      },
    );
  }
});

async function lastChecks(lab: Lab): Promise<FlowCheck[]> {
  const flow = present(lab.flows().at(-1));
  const exchanges = exchangesOfFlow(flow, lab.exchanges());
  return flowChecksOf(checkFactsOf(flowIssuer, present(exchanges.at(-1)), exchanges));
}

function describeCheck({ title, expected, received }: FlowCheck): string {
  return `${title}: ${expected} ≠ ${received}`;
}
