import type { Client } from "../../model/client.ts";
import { type ApplyRule, requireValue } from "../../protocol/rule.ts";
import { parseScope } from "../../protocol/scope.ts";
import { ownMember } from "../../util/values/own_member.ts";
import { exchangePolicies, type IdJagConfig } from "./config.ts";
import { idJagRequestRules } from "./id_jag_request_rules.ts";

/** Returns what a client may get ID-JAGs for. A client that was stored before may have no list. */
export function idJagEntriesOf(client: Client): IdJagConfig[] {
  return exchangePolicies.of(client).idJag ?? [];
}

/**
 * Returns the part of a requested scope that the policy leaves, and all of it without a request.
 */
export function grantedScope(
  apply: ApplyRule,
  entry: IdJagConfig,
  user: string,
  requested: string | undefined,
): string[] {
  const scopes = scopesOf(entry, user);
  const facts = { isAllowed: scopes !== undefined, entry, user };
  const allowed = requireValue(apply, idJagRequestRules.user, facts, scopes);
  const tokens = requested === undefined ? allowed : parseScope(apply, requested);
  const granted = tokens.filter((token) => allowed.includes(token));
  apply(idJagRequestRules.granted_scope, { granted, allowed });
  return granted;
}

function scopesOf({ scopes, users }: IdJagConfig, user: string): string[] | undefined {
  if (!users) return scopes;
  return ownMember(users, user)?.filter((token) => scopes.includes(token));
}
