import Apple from "@auth/core/providers/apple";
import Auth0 from "@auth/core/providers/auth0";
import Cognito from "@auth/core/providers/cognito";
import Discord from "@auth/core/providers/discord";
import GitHub from "@auth/core/providers/github";
import GitLab from "@auth/core/providers/gitlab";
import Google from "@auth/core/providers/google";
import Keycloak from "@auth/core/providers/keycloak";
import LinkedIn from "@auth/core/providers/linkedin";
import MicrosoftEntraID from "@auth/core/providers/microsoft-entra-id";
import Okta from "@auth/core/providers/okta";
import Slack from "@auth/core/providers/slack";
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import { clientSecret, openApple, servicesId } from "../../support/apple_login.ts";
import { openProvider, webClient } from "../../support/provider_login.ts";
import { app } from "./app_browser.ts";
import { AuthjsApp, type AuthjsProvider } from "./authjs_app.ts";

const { id: clientId, secret = "" } = webClient;
/** The options of a provider; the module of Entra writes its issuer into them. */
const registered = () => ({ clientId, clientSecret: secret });
const domain = "https://shop.auth.eu-west-1.amazoncognito.com";

/** A provider of the library, and the preset that it meets. */
interface ProviderCase {
  preset: Parameters<typeof openProvider>[0];
  /** The provider, as an application writes it; `issuer` is the address of its own tenant. */
  provider: AuthjsProvider;
  account: RegExp;
  options?: HallpassOptions;
}

const atHosts: Record<string, ProviderCase> = {
  google: {
    preset: "google",
    provider: Google(registered()),
    account: /^\d{21}$/,
    options: { hosts: true },
  },
  github: { preset: "github", provider: GitHub(registered()), account: /^\d+$/ },
  gitlab: { preset: "gitlab", provider: GitLab(registered()), account: /^\d+$/ },
  discord: { preset: "discord", provider: Discord(registered()), account: /^\d{18}$/ },
  linkedin: {
    preset: "linkedin",
    provider: LinkedIn(registered()),
    account: /^[\w-]{10,}$/,
    options: { hosts: true },
  },
  slack: {
    preset: "slack",
    provider: Slack(registered()),
    account: /^U[0-9A-Z]+$/,
    options: { hosts: true },
  },
  "microsoft-entra-id": {
    preset: "entra",
    provider: MicrosoftEntraID(registered()),
    account: /^[\w-]{43}$/,
    options: { hosts: true },
  },
};

/** Providers whose customers have an issuer each. */
const atIssuers: Record<
  string,
  Omit<ProviderCase, "provider"> & {
    issuer: string;
    provider: (options: ReturnType<typeof registered> & { issuer: string }) => AuthjsProvider;
  }
> = {
  auth0: {
    preset: "auth0",
    issuer: "https://shop.eu.auth0.com/",
    provider: Auth0,
    account: /^auth0\|[0-9a-f]{24}$/,
  },
  okta: {
    preset: "okta",
    issuer: "https://dev-1.okta.com/oauth2/default",
    provider: Okta,
    account: /^00u\w{17}$/,
  },
  keycloak: {
    preset: "keycloak",
    issuer: "https://sso.example.com/realms/shop",
    provider: Keycloak,
    account: /^[0-9a-f-]{36}$/,
  },
  cognito: {
    preset: "cognito",
    issuer: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1",
    provider: Cognito,
    account: /^[0-9a-f-]{36}$/,
    options: { frontChannelUrl: domain, backChannelUrl: domain },
  },
  "microsoft-entra-id": {
    preset: "entra",
    issuer: "https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0",
    provider: MicrosoftEntraID,
    account: /^[\w-]{43}$/,
  },
};

function open(
  id: string,
  { preset, options }: Pick<ProviderCase, "preset" | "options">,
): Promise<TestLab> {
  const redirectUris = [`${app}/auth/callback/${id}`];
  return openProvider(preset, { clients: [{ ...webClient, redirectUris }], ...options });
}

describe("Auth.js, with the hosts that it has in its code", () => {
  for (const [id, each] of Object.entries(atHosts)) {
    it(`signs in with ${id}, up to a session`, async () => {
      await using lab = await open(id, each);
      using _ = lab.intercept({ hosts: true });
      const { user, account } = await new AuthjsApp(id, each.provider).signIn();
      assertEquals([user.name, user.email], ["Alice Adler", "alice@example.com"]);
      assertMatch(account.providerAccountId, each.account);
    });
  }

  it("signs in with apple, whose first form alone has the name of the user", async () => {
    await using lab = await openApple({ hosts: true }, `${app}/auth/callback/apple`);
    using _ = lab.intercept();
    const provider = Apple({ clientId: servicesId, clientSecret: await clientSecret(lab) });
    const { user, account } = await new AuthjsApp("apple", provider).signIn();
    assertEquals([user.name, user.email], ["Alice Adler", "alice@example.com"]);
    assertMatch(account.providerAccountId, /^\d{6}\.[0-9a-f]{32}\.\d{4}$/);
    const again = await new AuthjsApp("apple", provider).signIn();
    assertEquals(again.user.name, "alice@example.com");
  });

  it("takes GitHub's error with the status 200 for a token response without a token", async () => {
    await using lab = await open("github", { preset: "github" });
    using _ = lab.intercept({ hosts: true });
    const wrong = new AuthjsApp("github", GitHub({ clientId, clientSecret: "wrong" }));
    const response = await wrong.finish(await wrong.start());
    assertEquals(response.headers.get("Location"), `${app}/auth/error?error=Configuration`);
    assertMatch(String(wrong.errors), /"access_token" property must be a string/);
  });
});

describe("Auth.js, with nothing but the issuer of a customer", () => {
  for (const [id, { issuer, provider, ...each }] of Object.entries(atIssuers)) {
    it(`signs in with ${id}, up to a session`, async () => {
      await using lab = await open(id, { ...each, options: { issuer, ...each.options } });
      using _ = lab.intercept();
      const configured = provider({ ...registered(), issuer });
      const { user, account } = await new AuthjsApp(id, configured).signIn();
      assertEquals([user.name, user.email], ["Alice Adler", "alice@example.com"]);
      assertMatch(account.providerAccountId, each.account);
    });
  }
});
