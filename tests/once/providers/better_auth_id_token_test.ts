import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { formOf, openApple, requestAppleTokens, servicesId } from "../../support/apple_login.ts";
import { present } from "../../support/present.ts";
import { clientAt } from "../../support/provider_login.ts";
import type { BetterAuthApp } from "./better_auth_app.ts";
import { atHosts, atIssuers, openFor, withProvider } from "./better_auth_providers.ts";

/** How an app on a phone gets an ID token, which it gives to the application. */
interface NativeApp {
  open: () => Promise<TestLab>;
  create: () => BetterAuthApp;
  getIdToken: (lab: TestLab) => Promise<string>;
}

const scope = "openid profile email";

const apps: Record<string, NativeApp> = {
  google: nativeApp("google", { authorize: "/o/oauth2/v2/auth", token: "/token" }),
  microsoft: nativeApp("microsoft", {
    authorize: "/../oauth2/v2.0/authorize",
    token: "/../oauth2/v2.0/token",
  }),
  cognito: nativeApp("cognito", { authorize: "/../oauth2/authorize", token: "/../oauth2/token" }),
  apple: {
    open: () => openApple({ hosts: true }),
    create: () => withProvider("apple", { clientId: servicesId }),
    async getIdToken(lab) {
      const { code = "" } = await formOf(lab, "name email");
      return (await requestAppleTokens(lab, { code })).body.id_token;
    },
  },
};

function nativeApp(id: string, paths: { authorize: string; token: string }): NativeApp {
  const provider = present(atHosts[id] ?? atIssuers[id]);
  return {
    open: () => openFor(id, provider),
    create: provider.create,
    async getIdToken(lab) {
      const urls = [lab.issuer + paths.authorize, lab.issuer + paths.token] as const;
      return (await clientAt(lab, urls).logIn({ scope })).tokens.id_token;
    },
  };
}

async function signIn({ create, getIdToken }: NativeApp, provider: string, lab: TestLab) {
  using _ = lab.intercept();
  const token = await getIdToken(lab);
  return await create().call("sign-in/social", { provider, idToken: { token } });
}

describe("better-auth, with an ID token that an app on a phone got", () => {
  for (const [id, app] of Object.entries(apps)) {
    it(`signs in with ${id}`, async () => {
      await using lab = await app.open();
      const { user } = await signIn(app, id, lab);
      assertEquals(user.email, "alice@example.com");
    });

    for (const forgery of ["foreign_signature", "wrong_aud", "expired"] as const) {
      it(`refuses one of ${id} with the fault ${forgery}`, async () => {
        await using lab = await app.open();
        lab.fault(`id_token.${forgery}`);
        const { code, user } = await signIn(app, id, lab);
        assertEquals([code, user], ["INVALID_TOKEN", undefined]);
      });
    }
  }
});
