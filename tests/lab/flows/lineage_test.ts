import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { flowCode, flowIssuer, redeemIn, refreshIn, tokenIn } from "../../support/lab_flow.ts";
import { type LineageCase, lineageIn } from "../../support/lineage.ts";

const cases: readonly LineageCase[] = [
  ["a code that waits", (lab) => flowCode(lab), ["code: active"]],
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
      assertEquals(await lineageIn(lab), tree);
    });
  }
});

async function revokeIn(lab: Lab, token: string): Promise<void> {
  const body = new URLSearchParams({ client_id: "demo-spa", token });
  await lab.fetch(new Request(`${lab.issuer}/oauth2/revoke`, { method: "POST", body }));
}
