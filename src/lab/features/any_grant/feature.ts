import { type ReportProblem, reportUnlisted } from "../../../server/config/problems.ts";
import { featuresOf } from "../../../server/issuer/active_features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import type { PresumeGrant } from "../../../server/issuer/server_hooks.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import { lazily } from "../../../server/util/values/memoize.ts";
import type { LabFeature } from "../../feature.ts";
import {
  type SettingsUnderCheck,
  unknownUserProblem,
} from "../../lab_server/check_lab_settings.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import { switchable } from "../../leniencies/leniency.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { AnyGrantSetting } from "./config.ts";

/** The kinds of rows that are found by the SHA-256 of a credential. */
const credentialKinds = ["code", "refresh-token", "access-token", "device-code"];

/** What tenants ask of the lab around them. */
export interface AnyGrantInternals {
  /** Returns the memory of what the lab and its tenants issued, if it has one. */
  issuedCredentials(): IssuedCredentials | undefined;
}

/** Codes, refresh tokens and assertions that the lab never issued. */
export const anyGrant: LabFeature<object, AnyGrantInternals> = {
  name: "any_grant",
  checkSettings: checkAnyGrant,
  leniency: switchable("anyGrant"),
  open({ parts, outer }) {
    /** What a tenant by itself remembers: what those next to it store is known, too. */
    const own = lazily(() => {
      const others = () => outer ? [outer, ...outer.tenants.all()] : [];
      return createIssuedCredentials(others);
    });
    // It grows with each token, so only a lab that needs it has one.
    const issued = () =>
      outer?.issuedCredentials() ?? (parts().config<AnyGrantSetting>().anyGrant && own());
    return {
      internals: { issuedCredentials: issued },
      onWrite: (kind, id) => issued()?.addRow(kind, id),
      serverHooks({ anyGrant }: CoreLabConfig & AnyGrantSetting) {
        if (!anyGrant) return {};
        const { user: userName, scopes } = anyGrant;
        const presumeGrant: PresumeGrant = async (_client, { value }) =>
          await issued()?.has(value) ? undefined : { userName, scopes };
        return { admits: { grant: presumeGrant } };
      },
      state: { clear: () => issued()?.addIssuer(parts().issuer) },
    };
  },
};

/** Checks what unknown credentials are taken for. */
function checkAnyGrant(
  { anyGrant, userNames, scopeNames }: SettingsUnderCheck & AnyGrantSetting,
  report: ReportProblem,
): void {
  if (!anyGrant) return;
  const { user, scopes } = anyGrant;
  if (!userNames.includes(user)) report("anyGrant.user", unknownUserProblem(user, userNames));
  if (scopeNames === undefined) return;
  reportUnlisted(report, "anyGrant.scopes", scopes, {
    among: scopeNames,
    why: ", which is not a scope of the lab",
  });
}

/**
 * What a lab and its tenants issued. It outlives the rows: a credential that was swept, or issued
 * before a reset, is still not an unknown one.
 */
type IssuedCredentials = ReturnType<typeof createIssuedCredentials>;

/** A lab or a tenant, with what it stores. */
interface Issuing {
  issuer: string;
  context: Context;
}

/**
 * Creates the memory of what is issued from now on. The `others` remember nothing: what they
 * issued is known as long as they store it.
 */
function createIssuedCredentials(others: () => readonly Issuing[]) {
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
