import { type ReportProblem, reportUnlisted } from "../../config/problems.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { allowedGrants, type ClientAllowances } from "../../protocol/client_allowances.ts";
import type { TrustLevel } from "../../protocol/client_trust.ts";
import { jwtBearerGrantType } from "../../protocol/grant_types.ts";
import type { Context } from "../context.ts";

/** What a client that describes itself cannot choose. */
export interface UntrustedIdentity {
  id: string;
  secret?: string | undefined;
  level: TrustLevel;
  /** Whether a trusted issuer lists the client, so that it may present assertions. */
  isListed?: boolean;
}

/**
 * Returns what clients of a trust level may do. One that a trusted issuer lists may present its
 * assertions, although no user is asked: the issuer vouches for the user.
 */
export function allowancesFor(
  { settings: { allowances, grantTypes } }: Context,
  { level, isListed }: Pick<UntrustedIdentity, "level" | "isListed">,
): ClientAllowances {
  if (!isListed) return allowances;
  const access = allowances.access[level];
  const allowed = [...allowedGrants(level, grantTypes, access.grantTypes), jwtBearerGrantType];
  return {
    ...allowances,
    access: { ...allowances.access, [level]: { ...access, grantTypes: allowed } },
  };
}

/** Reports what the server supports but does not allow to a client of this trust level. */
export function checkAllowances(
  ctx: Context,
  identity: UntrustedIdentity,
  { scopes, grantTypes }: ClientConfig,
  report: ReportProblem,
): void {
  const checkList = (
    path: string,
    requested: readonly string[] = [],
    supported: readonly string[],
    allowed: readonly string[],
  ) => {
    const supportedValues = requested.filter((each) => supported.includes(each));
    const why = `; allowed here: ${allowed.join(" ") || "none"}`;
    reportUnlisted(report, path, supportedValues, { among: allowed, why });
  };
  const { settings } = ctx;
  const { level } = identity;
  const allowed = allowancesFor(ctx, identity).access[level];
  checkList("scopes", scopes, [...settings.scopes.keys()], allowed.scopes);
  const allowedGrantTypes = allowedGrants(level, settings.grantTypes, allowed.grantTypes);
  checkList("grantTypes", grantTypes, settings.grantTypes, allowedGrantTypes);
}

/** Whether a trusted issuer lists a client. It must also have a key to present assertions. */
export function isListedByIssuer({ settings }: Context, id: string): boolean {
  return [...settings.trustedIssuers.values()].some(({ clients }) => clients.includes(id));
}
