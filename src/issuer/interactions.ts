import { OAuthError } from "../protocol/oauth_error.ts";
import type { AuthorizationRequest } from "../protocol/authorization_request.ts";
import type { Browser } from "./browsers.ts";
import type { Context } from "./context.ts";
import { after } from "./context.ts";
import { randomSecret } from "./random.ts";
import type { Interaction } from "./rows.ts";

/** Keeps a request until the person has done what it needs, and says under which id. */
export async function beginInteraction(ctx: Context, request: AuthorizationRequest, browser: Browser): Promise<string> {
  const id = randomSecret();
  await ctx.records.interactions.put(id, { request, browser: browser.hash }, after(ctx, ctx.config.lifetimes.interaction));
  return id;
}

/** Finds a request that waits, for the browser that began it and no other. */
export async function findInteraction(ctx: Context, id: string, browser: Browser): Promise<Interaction> {
  const entry = await ctx.records.interactions.get(id);
  if (entry && entry.value.browser === browser.hash) return entry.value;
  throw new OAuthError(
    "invalid_request",
    "This sign-in has expired, or another browser began it. Go back to the application and start again.",
  );
}

/** Remembers that a session was opened, or chosen, for this request. */
export async function chooseSession(ctx: Context, id: string, interaction: Interaction, sid: string): Promise<Interaction> {
  const chosen = { ...interaction, chosen: sid };
  await ctx.records.interactions.put(id, chosen, after(ctx, ctx.config.lifetimes.interaction));
  return chosen;
}

/** Lets another person sign in for a request, whoever is signed in now. */
export async function askForSignIn(ctx: Context, id: string, interaction: Interaction): Promise<void> {
  const request: AuthorizationRequest = { ...interaction.request, prompt: ["login"], loginHint: undefined };
  await ctx.records.interactions.put(id, { request, browser: interaction.browser }, after(ctx, ctx.config.lifetimes.interaction));
}
