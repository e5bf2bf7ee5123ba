import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findKnownApplication } from "../../../../src/lab/features/drill/known_application.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { challenge, verifier } from "../../../support/flow_kit.ts";
import { encode } from "../../../support/kit.ts";

const issuer = "http://localhost:9000";

/** Signs alice in to a client with a redirect URI, which the page of a Referer led to the lab. */
async function signIn(lab: Lab, redirectUri: string, referer?: string): Promise<void> {
  lab.clients.put({ id: "app", redirectUris: [redirectUri] });
  const query = encode({
    response_type: "code",
    client_id: "app",
    redirect_uri: redirectUri,
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const url = `${issuer}/oauth2/authorize?${query}`;
  if (referer !== undefined) await lab.fetch(new Request(url, { headers: { Referer: referer } }));
  const { code = "" } = await lab.authorize(url, { user: "alice" });
  const form = { grant_type: "authorization_code", client_id: "app", code };
  const body = encode({ ...form, redirect_uri: redirectUri, code_verifier: verifier });
  await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", body }));
}

/** What the lab guesses after a sign-in. */
const guesses: Array<
  [redirectUri: string, referer: string | undefined, start: string | undefined]
> = [
  ["http://localhost:3000/callback", undefined, "http://localhost:3000/"],
  [
    "http://127.0.0.1:3000/cb",
    "http://127.0.0.1:3000/login?next=secret",
    "http://127.0.0.1:3000/login",
  ],
  ["http://localhost:3000/callback", "http://localhost:9000/", "http://localhost:3000/"],
  ["http://localhost:3000/callback", "https://evil.example/login", "http://localhost:3000/"],
  ["https://app.example/callback", "https://app.example/", undefined],
  [`${issuer}/authorized`, `${issuer}/`, undefined],
];

describe("U6: The application that last signed in", () => {
  for (const [redirectUri, referer, start] of guesses) {
    it(`is ${start} after ${redirectUri}, from ${referer}`, async () => {
      await using lab = openLab({ issuer });
      await signIn(lab, redirectUri, referer);
      assertEquals(findKnownApplication(lab)?.start, start);
    });
  }

  it("is none before an application redeems a code", async () => {
    await using lab = openLab({ issuer });
    await lab.fetch(new Request(`${issuer}/oauth2/authorize?client_id=demo-spa`));
    assertEquals(findKnownApplication(lab), undefined);
  });

  it("is not the one that a refused request names, which any page can send", async () => {
    await using lab = openLab({ issuer });
    await signIn(lab, "http://localhost:3000/callback");
    const query = encode({ client_id: "app", redirect_uri: "http://localhost:6379/x" });
    await lab.fetch(new Request(`${issuer}/oauth2/authorize?${query}`));
    assertEquals(findKnownApplication(lab)?.origin, "http://localhost:3000");
  });
});
