import { assertEquals, assertMatch, assertNotMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { protectedResource, type VerifiedAccess } from "../../src/resource/protected_resource.ts";
import { createScopeHierarchy, type ImpliedScopes } from "../../src/resource/verified_access.ts";
import type { FlowKit } from "../support/flow_kit.ts";
import { openPublicLab } from "../support/public_kit.ts";

const resource = "https://api.test/v1";
const impliedScopes = { admin: ["write"], write: ["read"] };

/** Calls an API with a token of some scope. */
async function call(kit: FlowKit, granted: string, required: readonly string[]) {
  const api = protectedResource({
    resource,
    authorizationServers: [kit.issuer],
    impliedScopes,
    now: () => kit.clock.now,
    fetch: (url, { signal: _, ...init }) => kit.server.fetch(new Request(url, init)),
  });
  const code = await kit.code({ scope: granted, resource });
  const token = (await kit.redeem(code)).body.access_token;
  const headers = { Authorization: `Bearer ${token}` };
  return await api.require(new Request(`${resource}/things`, { headers }), { scope: required });
}

function challengeOf(access: VerifiedAccess | Response): string {
  return access instanceof Response ? access.headers.get("WWW-Authenticate") ?? "" : "";
}

describe("A scope that implies others (MCP 2026-07-28, Step-Up Authorization Flow)", () => {
  it("P18 passes where an implied one is required, and shows the scope of the token", async () => {
    const access = await call(await openPublicLab(), "write", ["read"]);
    assertEquals(access instanceof Response ? access.status : access.scope, ["write"]);
  });

  it("is not implied by a narrower one", async () => {
    const access = await call(await openPublicLab(), "read", ["write"]);
    assertMatch(challengeOf(access), /^Bearer .*scope="write".*error="insufficient_scope"/);
  });

  it("P18 is all that a challenge names, with every other scope that is required", async () => {
    const kit = await openPublicLab();
    const challenge = challengeOf(await call(kit, "read", ["read", "write", "groups"]));
    assertMatch(challenge, /scope="write groups"/);
    // The description leaves out what the token has.
    assertMatch(challenge, /must have the scope 'write groups'/);
    const withWrite = challengeOf(await call(kit, "write", ["read", "groups"]));
    assertMatch(withWrite, /scope="read groups"/);
    assertMatch(withWrite, /must have the scope 'groups'/);
  });

  it("shortens the first challenge as well", async () => {
    const kit = await openPublicLab();
    const api = protectedResource({
      resource,
      authorizationServers: [kit.issuer],
      impliedScopes,
      initialScope: ["read", "write"],
    });
    const response = await api.require(new Request(resource));
    assertMatch(challengeOf(response), /scope="write"/);
    assertNotMatch(challengeOf(response), /read/);
  });
});

describe("A hierarchy of scopes", () => {
  const rows: Array<
    [what: string, implied: ImpliedScopes, required: string, granted: string, missing: string]
  > = [
    ["none", {}, "read write", "read", "write"],
    ["one step", { write: ["read"] }, "read", "write", ""],
    ["two steps", { a: ["b"], b: ["c"] }, "c", "a", ""],
    ["a circle", { a: ["b"], b: ["a"] }, "a b", "b", ""],
    ["a scope that implies itself", { a: ["a"] }, "a b", "a", "b"],
    ["a sibling", { a: ["b", "c"] }, "b", "c", "b"],
    ["the name of a method", { a: ["b"] }, "b", "constructor __proto__ toString", "b"],
    ["no scope at all", { a: ["b"] }, "a", "", "a"],
  ];
  for (const [what, implied, required, granted, missing] of rows) {
    it(`finds what is missing: ${what}`, () => {
      const { missing: find } = createScopeHierarchy(implied);
      assertEquals(find(list(required), list(granted)), list(missing));
    });
  }

  const shortened: Array<[implied: ImpliedScopes, required: string, fewest: string]> = [
    [{}, "a b a", "a b"],
    [{ a: ["b"] }, "a b", "a"],
    [{ a: ["b"] }, "b a", "a"],
    [{ a: ["b"], b: ["c"] }, "c b", "b"],
    [{ a: ["b"], b: ["a"] }, "a b", "b"],
    [{ a: ["a"] }, "a", "a"],
    [{ a: ["b"] }, "b", "b"],
  ];
  for (const [implied, required, fewest] of shortened) {
    it(`needs '${fewest}' for '${required}' by ${JSON.stringify(implied)}`, () => {
      assertEquals(createScopeHierarchy(implied).fewest(list(required)), list(fewest));
    });
  }

  it("stays as it was created", () => {
    const write = ["read"];
    const hierarchy = createScopeHierarchy({ write });
    write.push("admin");
    assertEquals(hierarchy.missing(["read", "admin"], ["write"]), ["admin"]);
  });

  for (
    const wrong of [
      { write: "read" },
      { write: ["read write"] },
      { write: [""] },
      { write: [7] },
      { "": ["read"] },
      { 'wri"te': ["read"] },
      { write: undefined },
    ]
  ) {
    it(`is refused as ${JSON.stringify(wrong)}`, () => {
      const attempt = () => createScopeHierarchy(wrong as unknown as ImpliedScopes);
      assertThrows(attempt, TypeError, "'impliedScopes'");
    });
  }
});

function list(text: string): string[] {
  return text.split(" ").filter(Boolean);
}
