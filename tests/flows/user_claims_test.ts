import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { unopenedClaimWarnings } from "../../src/administration/unopened_claims.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { Config } from "../../src/server/features.ts";
import { openIdScopes, serverClaims } from "../../src/server/model/claims.ts";
import { textOf } from "../support/browser.ts";
import {
  claimsOf,
  type Fields,
  isActive,
  type Kit,
  openKit,
  openStrictKit,
  seesTokens,
  service,
  spa,
} from "../support/kit.ts";
import { hasFeature } from "../support/where_feature.ts";

const users = [{
  name: "alice",
  password: "alice",
  claims: { email: "alice@example.com", groups: ["admins"], plan: "pro" },
}];
const groups = { text: "See your groups", claims: ["groups"] };
const redirectUris = ["https://hallpass.test/authorized"];

function openServer(config: Partial<Config> = {}): Kit {
  return openStrictKit({
    users,
    scopes: { ...openIdScopes, read: "Read", groups },
    clients: [{ id: "demo-spa", redirectUris }, {
      id: "demo-service",
      secret: "demo-service-secret",
      ...seesTokens,
    }],
    ...config,
  });
}

/** The custom claims and the e-mail address in the ID token, the access token and userinfo. */
async function claimsEverywhere(kit: Kit, changes: Fields = {}) {
  const { id_token, access_token } = await kit.tokens({ scope: "openid email", ...changes });
  const info = (await kit.userinfo(access_token)).body;
  return [claimsOf(id_token), claimsOf(access_token), info].map((claims) =>
    Object.entries(claims).filter(([name]) => ["email", "groups", "plan", "roles"].includes(name))
      .map(([name, value]) => `${name}=${value}`).sort().join(" ")
  );
}

describe("Claims about users", () => {
  it("reach all three by a scope, and nothing without it", async () => {
    const email = "email=alice@example.com";
    assertEquals(await claimsEverywhere(openServer()), ["", "", email]);
    assertEquals(await claimsEverywhere(openServer(), { scope: "openid email groups" }), [
      "groups=admins",
      "groups=admins",
      `${email} groups=admins`,
    ]);
  });

  it("reach a client by its own rule", async () => {
    const kit = openServer({
      clients: [{ id: "demo-spa", redirectUris, claims: { accessToken: ["plan"] } }],
    });
    assertEquals(await claimsEverywhere(kit, { scope: "openid" }), ["", "plan=pro", ""]);
  });

  it("O07: of granted scopes are in the ID token where idTokenClaims is by-scope", async () => {
    const kit = openServer({ idTokenClaims: "by-scope" });
    assertEquals((await claimsEverywhere(kit))[0], "email=alice@example.com");
    assertEquals(
      claimsOf((await openKit().tokens({ scope: "openid email" })).id_token).email,
      "alice@example.com",
    );
  });

  it("come from the policy, for each target", async () => {
    const seen: unknown[] = [];
    const kit = openServer({
      policies: {
        claims(user, client, scope, target) {
          seen.push([user.name, client, scope, target]);
          return target === "userinfo" ? {} : { roles: [target] };
        },
      },
    });
    assertEquals(await claimsEverywhere(kit, { scope: "openid" }), [
      "roles=id_token",
      "roles=access_token",
      "",
    ]);
    const client = { id: "demo-spa", name: "demo-spa", trusted: true };
    assertEquals(seen[0], ["alice", client, ["openid"], "access_token"]);
  });

  if (hasFeature("introspection")) {
    it("are in an opaque token as well, and cannot make introspection lie", async () => {
      const kit = openServer({
        clients: [
          { id: "demo-spa", redirectUris, accessTokenFormat: "opaque" },
          { id: "demo-service", secret: "demo-service-secret", ...seesTokens },
        ],
        policies: { claims: () => ({ roles: ["x"], active: false, token_type: "none" }) },
      });
      const { access_token: token } = await kit.tokens({ scope: "openid" });
      const { body } = await kit.introspect(token, {}, service);
      assertEquals(body.active, true);
      assertEquals(body.token_type, "Bearer");
      assertEquals((body as { roles?: unknown }).roles, ["x"]);
      assert(await isActive(kit, token));
    });
  }

  it("are current again with each refresh", async () => {
    let plan = "free";
    const kit = openServer({ policies: { claims: () => ({ plan }) } });
    const { refresh_token } = await kit.tokens({
      scope: "openid offline_access",
      prompt: "consent",
    });
    plan = "pro";
    const { body } = await kit.refresh(refresh_token);
    assertEquals(claimsOf<{ plan: string }>(body.access_token).plan, "pro");
  });
});

describe("A claim that the server sets itself", () => {
  for (const name of serverClaims) {
    it(`${name} is refused in a rule, of a scope or a client`, () => {
      const open = () =>
        openServer({
          scopes: { openid: { text: "", claims: { accessToken: [name] } } },
          clients: [{ id: "a", redirectUris, claims: [name] }],
        });
      const said = assertThrows(open, ConfigError).message;
      assertMatch(said, /scopes\.openid\.claims\.accessToken\[0\] is '\w+', which the server sets/);
      assertMatch(said, /clients\[0\]\.claims\[0\] is '\w+', which the server sets itself/);
    });
  }

  for (const target of ["id_token", "access_token", "userinfo"]) {
    it(`makes a policy fail loudly that returns it for ${target}`, async () => {
      const kit = openServer({
        policies: { claims: (_user, _client, _scope, at) => at === target ? { sub: "bob" } : {} },
      });
      const code = await kit.code({ scope: "openid" });
      const { status, body } = target === "userinfo"
        ? await kit.userinfo((await kit.redeem(code)).body.access_token)
        : await kit.redeem(code);
      assertEquals([status, body.error], [500, "server_error"]);
      const failed = kit.events.find((event) => event.type === "server.failed");
      assertMatch(String(failed?.cause), /claims policy returned 'sub' for the /);
    });
  }

  it("is not replaced by a policy that returns no object", async () => {
    const kit = openServer({ policies: { claims: (() => undefined) as never } });
    const { status } = await kit.redeem(await kit.code({ scope: "openid" }));
    assertEquals(status, 500);
    const failed = kit.events.find((event) => event.type === "server.failed");
    assertMatch(String(failed?.cause), /must return an object of claims for the access_token/);
  });
});

describe("An unknown claim target", () => {
  it("is a problem that names those that exist", () => {
    const scopes = { groups: { text: "", claims: { id_token: ["groups"] } } } as never;
    const { message } = assertThrows(() => openServer({ scopes }), ConfigError);
    assertStringIncludes(message, "Known settings: idToken, accessToken, userinfo");
  });
});

describe("The consent page", () => {
  it("describes what a custom scope and the client's own rule open", async () => {
    const kit = openKit({
      clients: [{ id: "demo-spa", redirectUris, claims: { idToken: ["department"] } }],
    });
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ scope: "openid groups" }));
    const consent = await browser.signIn(page);
    assertMatch(
      textOf(consent.html),
      /Information about you Know who you are openid See your groups groups department/,
    );
  });

  it("describes a scope that opens claims, and is for no API, as information", async () => {
    const text = "See your work";
    const scopes = { openid: "Know you", work: { text, claims: ["department", "team"] } };
    const shown = async (resources: Config["resources"]) => {
      const kit = openKit({ clients: [spa()], scopes, ...resources && { resources } });
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl({ scope: "openid work" }));
      return textOf((await browser.signIn(page)).html);
    };
    const included = "See your work Includes: department, team work";
    assertMatch(await shown(undefined), new RegExp(`Know you openid ${included}`));
    const ofApi = [{ uri: "https://api.example", scopes: ["work"] }];
    assertMatch(await shown(ofApi), new RegExp(`${included} Information about you`));
  });
});

describe("claims_supported", () => {
  it("follows the rules of scopes and clients", () => {
    const kit = openServer({ clients: [{ id: "demo-spa", redirectUris, claims: ["plan"] }] });
    const { claims_supported } = kit.server.context.metadata();
    assertEquals((claims_supported as string[]).slice(-2), ["groups", "plan"]);
  });
});

describe("A claim that no rule opens", () => {
  const warningsOf = (config: Partial<Config>) =>
    unopenedClaimWarnings(openServer(config).server.context.settings, [], users);

  it("is a warning that names the claim and the users", () => {
    assertEquals(warningsOf({}), [
      "No client receives the claim 'plan' of alice. Open it in 'claims' of a scope or of a client, " +
      "or by the policy 'claims'.",
    ]);
  });

  it("is none where a client or a policy may open it", () => {
    assertEquals(warningsOf({ clients: [{ id: "a", redirectUris, claims: ["plan"] }] }), []);
    assertEquals(warningsOf({ policies: { claims: () => ({}) } }), []);
  });

  it("reaches nobody, even by its name", async () => {
    const claims = JSON.stringify({ id_token: { plan: null }, userinfo: { plan: null } });
    assertEquals(await claimsEverywhere(openServer(), { scope: "openid", claims }), ["", "", ""]);
  });
});
