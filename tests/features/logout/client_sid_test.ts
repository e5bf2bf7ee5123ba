import { assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import type { Browser } from "../../support/browser.ts";
import { claimsOf, type Kit, openKit } from "../../support/kit.ts";
import { logoutUrl, signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";

/** A client on a host of its own, or beside another one. */
function at(host: string, changes: Partial<ClientConfig> = {}): ClientConfig {
  const uri = (path: string) => `https://${host}.example/${path}`;
  return { id: host, redirectUris: [uri("cb")], postLogoutRedirectUris: [uri("bye")], ...changes };
}

const pairwise = { subjectType: "pairwise" } as const;

async function signInAt(
  kit: Kit,
  { id, redirectUris: [redirect_uri] = [] }: ClientConfig,
  browser?: Browser,
) {
  return await signedIn(kit, { client_id: id, redirect_uri, scope: "openid" }, undefined, browser);
}

/** The `sid` that each of some clients learns of one session. */
async function sidsOf(...clients: ClientConfig[]): Promise<string[]> {
  const kit = openKit({ clients });
  const browser = kit.browser();
  const sids: string[] = [];
  for (const client of clients) {
    sids.push(claimsOf((await signInAt(kit, client, browser)).idToken).sid);
  }
  return sids;
}

describe("The sid of an ID token (OpenID Connect Back-Channel Logout, section 2.1)", () => {
  it("L8: is there for a client with a post-logout redirect URI, and for no other", async () => {
    const [sid, none] = await sidsOf(at("one"), at("two", { postLogoutRedirectUris: [] }));
    assertMatch(present(sid), /^[\w-]{22}$/);
    assertEquals(none, undefined);
  });

  it("L8: links no pairwise subjects: it is another one in each sector", async () => {
    const [one, two, open] = await sidsOf(at("one", pairwise), at("two", pairwise), at("open"));
    assertEquals(new Set([one, two, open]).size, 3);
  });

  it("is shared by the clients of a sector, and by all with public subjects", async () => {
    const [one, beside] = await sidsOf(
      at("one", pairwise),
      at("one", { ...pairwise, id: "beside" }),
    );
    const [open, other] = await sidsOf(at("open"), at("other"));
    assertEquals([one, open], [beside, other]);
  });

  it("L8: is another one in the next session", async () => {
    const kit = openKit({ clients: [at("one", pairwise)] });
    const sids = [await signInAt(kit, at("one")), await signInAt(kit, at("one"))].map((
      { idToken },
    ) => claimsOf(idToken).sid);
    assertNotEquals(sids[0], sids[1]);
  });
});

describe("A client with pairwise subjects", () => {
  it("L8: signs a user out by its ID token without confirmation, and only out of the session of that token", async () => {
    const kit = openKit({ clients: [at("one", pairwise)] });
    const [first, second] = [await signInAt(kit, at("one")), await signInAt(kit, at("one"))];
    const other = await first.browser.open(logoutUrl(kit, { id_token_hint: second.idToken }));
    assertStringIncludes(other.html, 'id="confirm-sign-out"');
    await first.browser.open(logoutUrl(kit, { id_token_hint: first.idToken }));
    assertEquals(await whoIsSignedIn(kit, first.browser), undefined);
    assertEquals(await whoIsSignedIn(kit, second.browser), "alice");
  });
});
