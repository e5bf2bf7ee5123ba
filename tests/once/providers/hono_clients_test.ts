import {
  discordAuth,
  refreshToken as refreshAtDiscord,
  revokeToken as revokeAtDiscord,
} from "@hono/oauth-providers/discord";
import { githubAuth } from "@hono/oauth-providers/github";
import { googleAuth, revokeToken as revokeAtGoogle } from "@hono/oauth-providers/google";
import { linkedinAuth } from "@hono/oauth-providers/linkedin";
import { msentraAuth, refreshToken as refreshAtEntra } from "@hono/oauth-providers/msentra";
import { assert, assertEquals } from "@std/assert";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { describe, it } from "node:test";
import { openProvider, webClient } from "../../support/provider_login.ts";
import { brokenRules } from "../../support/reported.ts";
import { app, AppBrowser } from "./app_browser.ts";

const { id: client_id, secret: client_secret = "" } = webClient;
const registered = { client_id, client_secret };
const openid: Array<"openid" | "email" | "profile"> = ["openid", "email", "profile"];

/** What the application keeps after a sign-in. */
interface Kept {
  user: Record<string, unknown>;
  token: { token: string; refresh_token?: string };
  refresh?: { token: string };
}

/** A middleware, and the provider that it is for. */
interface HonoCase {
  preset: NonNullable<Parameters<typeof openProvider>[0]>;
  middleware: MiddlewareHandler;
  /** The member with the address of the user, or the name. */
  member: string;
  /** Uses the other functions of the middleware. */
  use?(kept: Kept): Promise<unknown>;
  /** The rules that the middleware breaks. */
  breaks?: string[];
}

const cases: Readonly<Record<string, HonoCase>> = {
  google: {
    preset: "google",
    middleware: googleAuth({ ...registered, scope: openid }),
    member: "email",
    use: async ({ token }) => assert(await revokeAtGoogle(token.token)),
  },
  github: {
    preset: "github",
    middleware: githubAuth({ ...registered, scope: ["user:email"], oauthApp: true }),
    member: "email",
  },
  discord: {
    preset: "discord",
    middleware: discordAuth({ ...registered, scope: ["identify"] }),
    member: "username",
    async use({ refresh }) {
      const { access_token } = await refreshAtDiscord(
        ...[client_id, client_secret, refresh?.token ?? ""] as const,
      );
      assert(await revokeAtDiscord(client_id, client_secret, access_token));
    },
  },
  linkedin: {
    preset: "linkedin",
    middleware: linkedinAuth({ ...registered, scope: openid }),
    member: "email",
    breaks: ["secret-in-uri"],
  },
  msentra: {
    preset: "entra",
    middleware: msentraAuth({
      ...{ ...registered, tenant_id: "common" },
      scope: ["openid", "offline_access", "User.Read"],
    }),
    member: "mail",
    use: ({ token: { refresh_token = "" } }) =>
      refreshAtEntra({ ...registered, tenant_id: "common", refresh_token }),
  },
};

describe("@hono/oauth-providers, with nothing but its registration", () => {
  for (const [id, { preset, middleware, member, use, breaks = [] }] of Object.entries(cases)) {
    it(`X3: signs in with ${id}`, async () => {
      const clients = [{ ...webClient, redirectUris: [`${app}/login`] }];
      await using lab = await openProvider(preset, { hosts: true, clients, signIn: undefined });
      using _ = lab.intercept();
      const server = new Hono().use("/login", middleware)
        .get("/login", (ctx: Context) =>
          ctx.json({
            ...{ user: ctx.get(`user-${id}`), token: ctx.get("token") },
            refresh: ctx.get("refresh-token"),
          }));
      const browser = new AppBrowser(async (request) => await server.fetch(request));
      const location = (await browser.send("/login")).headers.get("Location") ?? "";
      const { callback } = await lab.authorize(location, { user: "alice" });
      const kept: Kept = await (await browser.send(callback)).json();
      assertEquals(kept.user[member], member === "username" ? "alice" : "alice@example.com");
      await use?.(kept);
      assertEquals(brokenRules(lab), breaks);
    });
  }
});
