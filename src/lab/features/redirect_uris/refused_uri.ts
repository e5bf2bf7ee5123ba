import { redirectUriProblem } from "../../../server/protocol/redirect_uri.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type Exchange, parameterOf } from "../../recording/exchange.ts";
import { redactValue } from "../../recording/redact.ts";
import { refusalOf } from "../../recording/refusal.ts";

/** The redirect URI of a refused request, whose client did not register it or is unknown itself. */
export interface RefusedUri {
  request: number;
  client: string;
  /** Whether nobody knew the client. */
  wasUnknown: boolean;
  /** Whether it sent a code challenge, without which no public client signs in. */
  hasChallenge: boolean;
  uri: string;
  /** The URI as pages show it: what looks like a credential in it is hidden. */
  shown: string;
  isRegistered: boolean;
  /** Why it cannot be registered. */
  problem: string | undefined;
}

/**
 * Returns the redirect URI for which the last refused request of some was refused. Tenants have
 * clients of their own, which their own pages change.
 */
export function findRefusedUri(
  lab: CoreLab,
  exchanges: readonly Exchange[],
): RefusedUri | undefined {
  const exchange = exchanges.findLast(refusalOf);
  if (!exchange || exchange.tenant !== undefined) return undefined;
  const { id, request } = exchange;
  const { rule, received } = refusalOf(exchange) ?? {};
  const uri = parameterOf(request, "redirect_uri");
  if (!uri || request.client === undefined) return undefined;
  const client = lab.clients.list().find((each) => each.id === request.client);
  const shown = redactValue(uri) ?? uri;
  // A URL of metadata names a client of its own.
  const wasUnknown = rule === "client.known" && request.endpoint === "authorize" &&
    !/^https?:/.test(request.client);
  // The server may have read another one, from a request object.
  const isUnregistered = rule === "redirect_uri.registered" && client && shown === received;
  if (!isUnregistered && !wasUnknown) return undefined;
  const { insecure } = lab.settings.config();
  return {
    request: id,
    client: request.client,
    wasUnknown,
    hasChallenge: parameterOf(request, "code_challenge") !== undefined,
    uri,
    shown,
    isRegistered: client?.redirectUris?.includes(uri) ?? false,
    problem: redirectUriProblem(uri, insecure?.httpRedirectUris !== false),
  };
}
