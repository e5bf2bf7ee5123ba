import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import {
  clientSecret,
  formOf,
  openApple,
  requestAppleTokens,
} from "../../../support/apple_login.ts";
import { itWith } from "../../../support/it_with.ts";

const it = itWith({ inLab: () => openApple({ clients: [], anyClient: true }) });

async function errorOf(lab: TestLab, secret: string): Promise<string | undefined> {
  const { code = "" } = await formOf(lab, "name email");
  return (await requestAppleTokens(lab, { code }, secret)).body.error;
}

describe("Apple, for a client that it does not know", () => {
  it.inLab("takes any secret that is signed as it must be, each of them", async (lab) => {
    for (const changes of [{}, { iss: "OTHERTEAM1" }]) {
      const { code = "" } = await formOf(lab, "name email");
      const response = await requestAppleTokens(lab, { code }, await clientSecret(lab, changes));
      const { refresh_token } = response.body;
      const fields = { grant_type: "refresh_token", refresh_token };
      const refreshed = await requestAppleTokens(lab, fields, await clientSecret(lab, changes));
      assertEquals([response.status, refreshed.status], [200, 200]);
    }
  });

  const wrong: Array<[what: string, changes: Record<string, unknown>]> = [
    ["expires in seven months", { exp: Math.floor(Date.now() / 1000) + 213 * 86400 }],
    ["has expired", { exp: 1_600_000_000 }],
    ["never expires", { exp: undefined }],
    ["is for another audience", { aud: "https://appleid.apple.com/auth/token" }],
    ["is about another client", { sub: "com.example.other" }],
    ["names no team", { iss: undefined }],
  ];
  for (const [what, changes] of wrong) {
    it.inLab(`refuses a secret that ${what}, first or later`, async (lab) => {
      const refused = await clientSecret(lab, changes);
      assertEquals(await errorOf(lab, refused), "invalid_client");
      assertEquals(await errorOf(lab, await clientSecret(lab)), undefined);
      assertEquals(await errorOf(lab, refused), "invalid_client");
    });
  }

  it.inLab("refuses a text as a secret, first or later", async (lab) => {
    assertEquals(await errorOf(lab, "a-text"), "invalid_client");
    assertEquals(await errorOf(lab, await clientSecret(lab)), undefined);
    assertEquals(await errorOf(lab, "a-text"), "invalid_client");
  });
});
