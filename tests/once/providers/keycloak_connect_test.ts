import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import Keycloak from "keycloak-connect";
import { describe } from "node:test";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

const it = itWith({ inLab: () => open() });

const users = [{ name: "zoe", claims: { roles: ["admin"], email: "zoe@example.org" } }];
const open = (options: HallpassOptions = {}) =>
  openProvider("keycloak", { listen: true, users, signIn: "zoe", ...options });

/** What the types of the adapter leave out. */
interface Adapter {
  loginUrl(state: string, redirectUri: string): string;
  logoutUrl(redirectUri: string, idToken: string): string;
  grantManager: {
    obtainFromCode(request: unknown, code: string): Promise<Grant>;
    ensureFreshness(grant: Grant): Promise<Grant>;
    validateAccessToken(token: Token): Promise<Token | false>;
    userInfo(token: Token): Promise<Record<string, unknown>>;
  };
}

interface Token {
  token: string;
  content: Record<string, unknown>;
  hasRole(name: string): boolean;
}

interface Grant {
  access_token: Token;
  id_token: Token;
  refresh_token: Token;
}

/** The adapter as an application makes it, at the lab in place of Keycloak. */
function adapterFor({ issuer }: TestLab, options: Record<string, unknown> = {}): Adapter {
  const [, url = "", realm = ""] = /^(.*\/)realms\/(.*)$/.exec(issuer) ?? [];
  const config = { realm, resource: webClient.id, credentials: { secret: webClient.secret } };
  const all = { "auth-server-url": url, ...config, ...options };
  return new Keycloak({}, all as never) as unknown as Adapter;
}

/** Redeems a code as the adapter does after the redirect, whose URI is in the session. */
async function grantOf(lab: TestLab, adapter: Adapter): Promise<Grant> {
  const request = { session: { auth_redirect_uri: callback } };
  const code = await codeAt(lab, adapter.loginUrl("a-state", callback));
  return await adapter.grantManager.obtainFromCode(request, code);
}

describe("keycloak-connect, with nothing changed but the URL of the server", () => {
  it.inLab("signs in, verifies both tokens, and reads the roles of the realm", async (lab) => {
    const { access_token, id_token } = await grantOf(lab, adapterFor(lab));
    const roles = ["realm:admin", "realm:auditor"].map((name) => access_token.hasRole(name));
    assertEquals(roles, [true, false]);
    assertEquals([access_token.content.typ, id_token.content.typ], ["Bearer", "ID"]);
    assertEquals(id_token.content.sub, access_token.content.sub);
  });

  it.inLab("introspects its token, and reads userinfo", async (lab) => {
    const adapter = adapterFor(lab);
    const { grantManager } = adapter;
    const { access_token } = await grantOf(lab, adapter);
    assert(await grantManager.validateAccessToken(access_token));
    const user = await grantManager.userInfo(access_token);
    assertEquals(user.sub, access_token.content.sub);
  });

  it.inLab("refreshes a grant that has expired", async (lab) => {
    const adapter = adapterFor(lab);
    const grant = await grantOf(lab, adapter);
    const before = grant.access_token.token;
    grant.access_token.content.exp = 0;
    const refreshed = await adapter.grantManager.ensureFreshness(grant);
    assertNotEquals(refreshed.access_token.token, before);
  });

  it.inLab("refuses a token whose audience it is not, if it looks at the audience", async (lab) => {
    const adapter = adapterFor(lab, { "verify-token-audience": true });
    await assertRejects(() => grantOf(lab, adapter), Error, "wrong audience");
  });

  it.inLab("refuses a token that a fault signs with another key", async (lab) => {
    lab.fault("access_token.foreign_signature", { times: 1 });
    await assertRejects(() => grantOf(lab, adapterFor(lab)), Error, "signature");
  });
});
