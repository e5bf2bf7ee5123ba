import { featuresOf } from "../../../server/issuer/active_features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import { readJwt } from "../../recording/credentials.ts";

/** The kinds of rows that are found by the SHA-256 of a credential. */
const credentialKinds = ["code", "refresh-token", "access-token", "device-code"];

/**
 * What a lab and its tenants issued. It outlives the rows: a credential that was swept, or issued
 * before a reset, is still not an unknown one.
 */
export type IssuedCredentials = ReturnType<typeof createIssuedCredentials>;

/** A lab or a tenant, with what it stores. */
interface Issuing {
  issuer: string;
  context: Context;
}

/**
 * Creates the memory of what is issued from now on. The `others` remember nothing: what they
 * issued is known as long as they store it.
 */
export function createIssuedCredentials(others: () => readonly Issuing[]) {
  const hashes = new Set<string>();
  const issuers = new Set<unknown>();
  return {
    /** Remembers an issuer, whose JWTs are never unknown. */
    addIssuer: (issuer: string) => void issuers.add(issuer),
    /** Remembers a credential by its row. */
    addRow(kind: string, id: string): void {
      if (credentialKinds.includes(kind)) hashes.add(id);
    },
    /** Whether the lab ever issued a value, even one that is no longer active. */
    has: async (value: string) =>
      issuers.has(readJwt(value)?.claims.iss) ||
      hashes.has(await sha256(value)) || await isIssuedBy(others(), value),
  };
}

async function isIssuedBy(labs: readonly Issuing[], value: string): Promise<boolean> {
  const iss = readJwt(value)?.claims.iss;
  for (const { issuer, context } of labs) {
    if (iss === issuer) return true;
    for (const table of [context.records.codes, context.records.refreshTokens]) {
      if (await table.getStored(value)) return true;
    }
    for (const { findRow } of featuresOf(context).presented) {
      if (await findRow?.(context, value)) return true;
    }
  }
  return false;
}
