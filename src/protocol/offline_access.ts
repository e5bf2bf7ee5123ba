import type { Client } from "../model/client.ts";
import { mayRememberConsent } from "./client_trust.ts";
import { errorFactory } from "./oauth_error.ts";
import type { Prompt } from "./prompt.ts";

const invalidScope = errorFactory("invalid_scope", "OpenID Connect Core, section 11");

const offline = "offline_access";

/**
 * Access that outlives the session is for those alone who are certain to be asked: because the client says so, or because consent
 * to it is never remembered. Otherwise it is ignored (OpenID Connect Core, section 11).
 */
export function withoutUnaskedOfflineAccess(
  scope: readonly string[],
  prompt: readonly Prompt[],
  client: Client,
): string[] {
  if (prompt.includes("consent") || !mayRememberConsent(client)) return [...scope];
  const rest = scope.filter((token) => token !== offline);
  if (rest.length > 0) return rest;
  throw invalidScope(
    "The scope 'offline_access' needs the prompt 'consent'; without it nothing is left of the scope.",
  );
}
