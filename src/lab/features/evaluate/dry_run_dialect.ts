import type { DialectTranslator } from "../../dialect/create_dialect.ts";
import { dialectAddress } from "../../dialect/dialect_address.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import { LabError } from "../../util/lab_error.ts";
import { type DryRunParts, endpointsOf } from "./dry_run_parts.ts";

/**
 * Creates what translates between clients and the server of a dry run. The lab has its own: what
 * this one remembers ends with the dry run.
 */
export async function createDryRunDialect(
  { issuer, clock, config: currentConfig, seen }: DryRunParts,
): Promise<DialectTranslator | undefined> {
  const config = currentConfig();
  const { dialect } = config;
  if (!dialect) return undefined;
  const { createDialect } = await import("../../dialect/create_dialect.ts");
  const address = dialectAddress(issuer, dialect, config);
  return createDialect(dialect, address, { now: clock.now, seen: new Map(seen) });
}

/**
 * Checks that clients get tokens at all.
 *
 * @throws {LabError} The provider that the lab plays has no token endpoint.
 */
export function checkTokenEndpoint(parts: DryRunParts): void {
  if (findEndpointUrl(endpointsOf(parts), "token_endpoint") !== undefined) return;
  throw new LabError(
    "No client gets a token here: the provider that this lab plays has no token endpoint.",
  );
}
