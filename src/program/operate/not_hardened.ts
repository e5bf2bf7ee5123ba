import type { Settings } from "../../server/config/settings.ts";
import { counted } from "../../server/util/time/duration.ts";
import { type DirectoryClient, firstOf, namesIn } from "./directory.ts";
import type { Leniency } from "./leniency.ts";

/** A setting that `hardened` makes stricter, and what it does now. */
export type Relaxation = Pick<Leniency, "setting" | "effect">;

/** Finds what would be stricter with the setting `hardened`. */
export function findNotHardened(
  settings: Settings,
  clients: readonly DirectoryClient[],
): Relaxation[] {
  const { idTokenClaims, preferredUsername, refreshReuseGrace, unknownScopes, ownGroups } =
    settings;
  const unchallenged = clients.filter(({ mayRelyOnNonce }) => mayRelyOnNonce);
  const names = firstOf(namesIn(unchallenged));
  const rows: Array<Relaxation & { isOn: boolean }> = [
    {
      setting: "pkce",
      isOn: unchallenged.length > 0,
      effect: `may be left out by ${counted(unchallenged.length, "client")} ` +
        `(${names}), which must check the nonce (RFC 9700, section 2.1.1). If the application ` +
        "can send it: hallpass client set ID --pkce required",
    },
    {
      setting: "idTokenClaims",
      isOn: idTokenClaims === undefined,
      effect: "are those of the scope, for clients that authenticate",
    },
    {
      setting: "preferredUsername",
      isOn: preferredUsername === "user-name",
      effect: "is the user name, for users without that claim",
    },
    {
      setting: "refreshReuseGrace",
      isOn: refreshReuseGrace === undefined,
      effect: "is 10 seconds, for clients that authenticate",
    },
    {
      setting: "unknownScopes",
      isOn: unknownScopes === "ignore",
      effect: "are ignored in requests for openid, if this server defines no such scope",
    },
    { setting: "scopes", isOn: ownGroups, effect: "have groups, which opens the claim" },
  ];
  return rows.filter(({ isOn }) => isOn).map(({ isOn: _, ...relaxation }) => relaxation);
}
