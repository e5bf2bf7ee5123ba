import type { SetCookie } from "../../http/cookies.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { callbackClients } from "./callback_clients.ts";

/** An authorization that the page at `/authorized` started, in the role of a client. */
export interface OwnFlow {
  clientId: string;
  state: string;
  codeVerifier: string;
}

const cookie = "flow";

/** State, verifier and client: two random texts, and a percent-encoded id. */
const written = /^([\w-]{43})\.([\w-]{43})\.([\w.!~*'()%-]+)$/;

/**
 * Returns the header that keeps a flow in its browser for as long as a sign-in may take. The server
 * stores nothing: a visitor who starts many flows has only the last one.
 */
export function keepOwnFlow(ctx: Context, { clientId, state, codeVerifier }: OwnFlow): SetCookie {
  const value = [state, codeVerifier, encodeURIComponent(clientId)].join(".");
  return ctx.cookies.write(cookie, value, ctx.settings.lifetimes.interaction);
}

/** Finds the flow of a callback in the browser that started it. */
export function findOwnFlow(ctx: RequestContext, state: string | undefined): OwnFlow | undefined {
  const [, kept, codeVerifier, id] = written.exec(ctx.cookies.read(ctx.request, cookie) ?? "") ??
    [];
  if (kept === undefined || codeVerifier === undefined || kept !== state) return undefined;
  const clientId = callbackClients(ctx).find((each) => encodeURIComponent(each) === id);
  return clientId === undefined ? undefined : { clientId, state: kept, codeVerifier };
}

/** Returns the header that deletes the flow: its verifier is shown once. */
export function forgetOwnFlow(ctx: Context): SetCookie {
  return ctx.cookies.clear(cookie);
}
