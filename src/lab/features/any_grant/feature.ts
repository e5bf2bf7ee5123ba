import { type ReportProblem, reportUnlisted } from "../../../server/config/problems.ts";
import type { PresumeGrant } from "../../../server/issuer/server_hooks.ts";
import { lazily } from "../../../server/util/values/memoize.ts";
import type { LabFeature } from "../../feature.ts";
import {
  type SettingsUnderCheck,
  unknownUserProblem,
} from "../../lab_server/check_lab_settings.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import { switchable } from "../../leniencies/leniency.ts";
import type { AnyGrantSetting } from "./config.ts";
import { createIssuedCredentials, type IssuedCredentials } from "./issued_credentials.ts";

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
