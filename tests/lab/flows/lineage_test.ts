import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type CredentialState, statesOf } from "../../../src/lab/flows/credential_state.ts";
import { exchangesOfFlow } from "../../../src/lab/flows/describe_flow.ts";
import { readLedger } from "../../../src/lab/flows/ledger.ts";
import { type LineageNode, lineageOf } from "../../../src/lab/flows/lineage.ts";
import { stateSourcesOf } from "../../../src/lab/flows/state_sources.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { flowCode, flowIssuer, redeemIn, refreshIn, tokenIn } from "../../support/lab_flow.ts";
import { present } from "../../support/present.ts";

/** What happens in a flow, and the tree that it leaves. */
type LineageCase = readonly [
  what: string,
  play: (lab: Lab) => Promise<unknown>,
  tree: readonly string[],
];

const cases: readonly LineageCase[] = [
  ["a code that waits", (lab) => flowCode(lab), ["code: active"]],
  ["values that a later login took over", async (lab) => {
    lab.values({ accessToken: "A", refreshToken: "R" });
    await redeemIn(lab, await flowCode(lab));
    await lab.mint({ sub: "bob", client: "demo-spa", scope: "openid offline_access" });
  }, [
    "code: spent",
    "  access token: reissued",
    "  ID token: active",
    "  refresh token: reissued",
  ]],
  ["a code that a later login took over", async (lab) => {
    lab.values({ code: "C" });
    await flowCode(lab);
    await lab.mint({ kind: "code", user: "bob", client: "demo-spa" });
  }, ["code: reissued"]],
  ["a code that has expired", async (lab) => {
    await flowCode(lab);
    lab.clock.advance("6m");
  }, ["code: expired"]],
  ["a code that was redeemed", async (lab) => await redeemIn(lab, await flowCode(lab)), [
    "code: spent",
    "  access token: active",
    "  ID token: active",
    "  refresh token: active",
  ]],
  ["an access token that has expired", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    lab.clock.advance("2h");
  }, ["code: spent", "  access token: expired", "  ID token: expired", "  refresh token: active"]],
  ["a refresh token that was rotated", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
  }, [
    "code: spent",
    "  access token 1: active",
    "  ID token 1: active",
    "  refresh token 1: spent",
    "    access token 2: active",
    "    ID token 2: active",
    "    refresh token 2: active",
  ]],
  ["a refresh token that was used twice: everything is revoked", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
    await refreshIn(lab, refresh_token);
  }, [
    "code: spent",
    "  access token 1: revoked, its refresh token was used twice",
    "  ID token 1: active",
    "  refresh token 1: spent",
    "    access token 2: revoked, its refresh token was used twice",
    "    ID token 2: active",
    "    refresh token 2: revoked, its refresh token was used twice",
  ]],
  ["an access token that its client revoked", async (lab) => {
    const { access_token } = await redeemIn(lab, await flowCode(lab));
    await revokeIn(lab, access_token);
  }, [
    "code: spent",
    "  access token: revoked, its client revoked it",
    "  ID token: active",
    "  refresh token: active",
  ]],
  ["a user who is gone", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    lab.users.remove("alice");
  }, ["code: spent", "  access token: revoked", "  ID token: active", "  refresh token: revoked"]],
  ["a client that acts for itself", async (lab) => {
    await tokenIn(lab, {
      grant_type: "client_credentials",
      client_id: "demo-service",
      client_secret: "demo-service-secret",
    });
  }, ["access token: active"]],
];

describe("The lineage of tokens", () => {
  for (const [what, play, tree] of cases) {
    it(`shows ${what}`, async () => {
      await using lab = openLab({ issuer: flowIssuer });
      await play(lab);
      assertEquals(await treeIn(lab), tree);
    });
  }
});

async function treeIn(lab: Lab): Promise<string[]> {
  const flow = present(lab.flows()[0]);
  const ledger = readLedger(exchangesOfFlow(flow, lab.exchanges()), lab.issuer);
  const states = await statesOf(stateSourcesOf(lab, ledger));
  return lineageOf(ledger, states).flatMap((node) => linesOf(node, ""));
}

function linesOf({ name, state, children }: LineageNode, indent: string): string[] {
  return [
    `${indent}${name}: ${stateText(state)}`,
    ...children.flatMap((child) => linesOf(child, `${indent}  `)),
  ];
}

function stateText(state: CredentialState): string {
  return state.kind === "revoked" && state.reason ? `revoked, ${state.reason}` : state.kind;
}

async function revokeIn(lab: Lab, token: string): Promise<void> {
  const body = new URLSearchParams({ client_id: "demo-spa", token });
  await lab.fetch(new Request(`${lab.issuer}/oauth2/revoke`, { method: "POST", body }));
}
