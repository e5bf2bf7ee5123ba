import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { Strategy as DiscordStrategy } from "passport-discord";
import { Strategy as DiscordAuthStrategy } from "passport-discord-auth";
import { Strategy as GitLabStrategy } from "passport-gitlab2";
import KeycloakStrategy from "passport-keycloak-oauth2-oidc";
import { Strategy as LinkedInStrategy } from "passport-linkedin-oauth2";
import okta20 from "passport-okta-oauth20";
import SlackStrategy from "passport-slack-oauth2";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";
import { keepAll, type PassportOutcome, runStrategy } from "./passport.ts";

// deno-lint-ignore no-explicit-any -- some strategies have no types, others those of Express
type Strategy = new (options: any, verify: any) => object;

/** A strategy with its options, and the provider that it is for. */
interface PassportCase {
  preset: NonNullable<HallpassOptions["provider"]>;
  /** The settings of the lab; a provider whose customers have an issuer each needs one. */
  lab?: HallpassOptions;
  strategy: Strategy;
  options: Record<string, unknown>;
}

const { id: clientID, secret: clientSecret } = webClient;
const registered = { clientID, clientSecret, callbackURL: callback };
const okta = "https://dev-1.okta.com";
const keycloak = "https://sso.example.com";
const openid = ["openid", "profile", "email"];
const guilds = ["identify", "email", "guilds", "connections"];

const cases: Readonly<Record<string, PassportCase>> = {
  "passport-discord": {
    preset: "discord",
    strategy: DiscordStrategy as unknown as Strategy,
    options: { ...registered, scope: guilds },
  },
  "passport-discord-auth": {
    preset: "discord",
    strategy: DiscordAuthStrategy,
    options: { ...{ ...registered, clientId: clientID, callbackUrl: callback }, scope: guilds },
  },
  "passport-gitlab2": {
    preset: "gitlab",
    strategy: GitLabStrategy,
    options: { ...registered, scope: ["read_user"] },
  },
  "passport-keycloak-oauth2-oidc": {
    preset: "keycloak",
    lab: { issuer: `${keycloak}/realms/shop` },
    strategy: KeycloakStrategy as unknown as Strategy,
    options: { ...registered, authServerURL: keycloak, realm: "shop", scope: openid },
  },
  "passport-okta-oauth20": {
    preset: "okta",
    lab: { issuer: `${okta}/oauth2/default` },
    strategy: okta20.Strategy,
    options: { ...registered, audience: okta, authorizationId: "default", scope: openid },
  },
};

/** Signs in with a strategy of Passport, as an application with a session does. */
async function signIn(
  lab: TestLab,
  { strategy: Strategy, options }: Pick<PassportCase, "strategy" | "options">,
): Promise<PassportOutcome> {
  const strategy = new Strategy({ ...options, state: true }, keepAll);
  const session = {};
  const { redirect = "" } = await runStrategy(strategy, { query: {}, session });
  const state = new URL(redirect).searchParams.get("state") ?? "";
  const query = { code: await codeAt(lab, redirect), state };
  return await runStrategy(strategy, { query, session });
}

describe("Strategies of Passport, with the hosts that they have in their code", () => {
  for (const [name, each] of Object.entries(cases)) {
    it(`X3: ${name} signs in cleanly`, async () => {
      await using lab = await openProvider(each.preset, each.lab ?? { hosts: true });
      using _ = lab.intercept({ http: true });
      const { user, error } = await signIn(lab, each);
      assertEquals(error, undefined);
      assertEquals(user.profile.username ?? user.profile.preferred_username, "alice");
      lab.assertClean({ refused: true });
    });
  }

  it("X4: passport-linkedin-oauth2 reads why the older API is missing", async () => {
    await using lab = await openProvider("linkedin", { hosts: true });
    using _ = lab.intercept({ http: true });
    const options = { ...registered, scope: openid };
    const { error } = await signIn(lab, { strategy: LinkedInStrategy, options });
    const { oauthError } = error as { oauthError: { data: string } };
    assertStringIncludes(oauthError.data, "The lab does not play this path");
  });

  it("X4: passport-slack-oauth2 begins at a page that the lab does not play", async () => {
    await using lab = await openProvider("slack", { hosts: true });
    const strategy = new SlackStrategy.Strategy({ ...registered }, keepAll);
    const { redirect = "" } = await runStrategy(strategy, { query: {} }, { state: "a-state" });
    const response = await lab.fetch(redirect, { headers: { Accept: "text/html" } });
    assertEquals(response.status, 404);
    assertStringIncludes(await response.text(), "Installations (oauth.v2.access)");
  });
});
