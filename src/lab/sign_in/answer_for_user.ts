import { listUsers } from "../../server/issuer/directory/directory_entries.ts";
import type { AnswerForUser } from "../../server/issuer/server_hooks.ts";
import { findUser } from "../../server/issuer/users/users.ts";
import { type Layer, respondWith, unless } from "../layers/layer.ts";
import type { PendingExchange } from "../layers/pending_exchange.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import { shownPages, shownPagesHeader, toChosenSignIn } from "../util/user_choices.ts";
import type { HandsFree, UnaskedUser } from "./hands_free.ts";
import { amrOf } from "./one_click.ts";
import type { UnknownUsers } from "./unknown_users.ts";

/**
 * Creates the function that answers instead of the users of a lab. `unaskedSessions` are those of
 * users who signed in without a page.
 */
export function createAnswerForUser(
  handsFreeOf: () => HandsFree,
  unaskedSessions: ReadonlyMap<string, string>,
): AnswerForUser {
  return ({ pending: { loginHint, prompt }, request, isNew, acrValues: [requested] }) => {
    const handsFree = handsFreeOf();
    const shown = shownPages(request.headers.get(shownPagesHeader));
    // With `prompt=none`, the client asks whether there is a session.
    const mayHint = !prompt.includes("none") || unaskedSessions.has(loginHint ?? "");
    const hinted = handsFree.signsInByHint() && mayHint ? loginHint : undefined;
    const unasked = isNew && !shown.includes("sign-in")
      ? hinted === undefined ? handsFree.take() : { user: hinted }
      : undefined;
    const skipsConsent = handsFree.skipsConsent() && !shown.includes("consent");
    if (!unasked) return skipsConsent ? {} : undefined;
    const { user: userName, decision, grant, ...details }: UnaskedUser = unasked;
    const chosen = toChosenSignIn(details);
    const { acr = requested, amr = amrOf(acr) } = chosen;
    return { signIn: { userName, acr, amr, chosen }, decision, grant };
  };
}

/**
 * Creates the layer that refuses requests which would sign in a user without a page who does not
 * exist, and cannot be made known.
 */
export function createKnownUserLayer(
  handsFree: HandsFree,
  unknownUsers: UnknownUsers | undefined,
): Layer {
  return unless(
    ({ request: { endpoint } }) => endpoint !== "authorize" && endpoint !== "device",
    async (exchange, next) => {
      try {
        await checkUser(exchange, handsFree, unknownUsers);
      } catch (cause) {
        if (!(cause instanceof LabError)) throw cause;
        return await respondWith(exchange, {
          status: 400,
          headers: [
            ["Content-Type", "text/plain; charset=utf-8"],
            ["Cache-Control", "no-store"],
            ["X-Content-Type-Options", "nosniff"],
          ],
          body: cause.message,
        });
      }
      return await next();
    },
  );
}

/** Checks that the user exists whom a request would sign in without a page. */
async function checkUser(
  { request: { endpoint, query, form, headers }, server: { context: ctx } }: PendingExchange,
  handsFree: HandsFree,
  unknownUsers: UnknownUsers | undefined,
): Promise<void> {
  if (shownPages(headers[shownPagesHeader.toLowerCase()]).includes("sign-in")) return;
  const mayHint = handsFree.signsInByHint() && endpoint === "authorize";
  const hint = mayHint ? query.get("login_hint") : null;
  const exists = async (name: string) =>
    (await findUser(ctx, name) ?? (await unknownUsers?.admit(name), await findUser(ctx, name))) !==
      undefined;
  if (hint && !await exists(hint)) {
    throw unknownName("user", hint, (await listUsers(ctx)).map(({ value }) => value.name));
  }
  const signsIn = endpoint === "authorize" ||
    (endpoint === "device" && (query.has("user_code") || form.has("user_code")));
  const user = hint || !signsIn ? undefined : handsFree.next()?.user;
  if (user === undefined || await exists(user)) return;
  throw new LabError(`Hands-free sign-in is on, but the user '${user}' was removed or disabled.`);
}
