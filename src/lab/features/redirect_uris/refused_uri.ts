import { redirectUriProblem } from "../../../server/protocol/redirect_uri.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type Exchange, isReplay, parameterOf } from "../../recording/exchange.ts";
import { redactValue } from "../../recording/redact.ts";
import { refusalOf } from "../../recording/refusal.ts";

/** The redirect URI of a refused request, which its client did not register. */
export interface RefusedUri {
  /** The number of the request. */
  request: number;
  client: string;
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
  const exchange = exchanges.findLast((each) => !isReplay(each) && refusalOf(each));
  if (!exchange || exchange.tenant !== undefined) return undefined;
  const { rule, received } = refusalOf(exchange) ?? {};
  const uri = parameterOf(exchange.request, "redirect_uri");
  const client = lab.clients.list().find(({ id }) => id === exchange.request.client);
  if (rule !== "redirect_uri.registered" || !client || !uri || !received) return undefined;
  // The server may have read another one, from a request object.
  if (redactValue(uri) !== received) return undefined;
  const { insecure } = lab.settings.config();
  return {
    request: exchange.id,
    client: client.id,
    uri,
    shown: received,
    isRegistered: client.redirectUris?.includes(uri) ?? false,
    problem: redirectUriProblem(uri, insecure?.httpRedirectUris !== false),
  };
}
