import { counted } from "../../server/util/time/duration.ts";
import type { DirectoryClient } from "./directory.ts";
import { switchedOn } from "./leniencies.ts";
import type { Leniency } from "./leniency.ts";

/** How many clients are named; of more, the number is enough. */
const maxNamed = 10;

/** Finds what would be stricter with the setting `hardened`. */
export function findNotHardened(clients: readonly DirectoryClient[]): Leniency[] {
  const unchallenged = clients.filter(({ mayRelyOnNonce }) => mayRelyOnNonce);
  return switchedOn([
    {
      setting: "pkce",
      isOn: unchallenged.length > 0,
      effect: `may be left out by ${listed(unchallenged)}, which must check the nonce`,
      see: "RFC 9700, section 2.1.1",
    },
  ]);
}

function listed(clients: readonly DirectoryClient[]): string {
  const names = clients.slice(0, maxNamed).map(({ name }) => name);
  const rest = clients.length > maxNamed ? ", …" : "";
  return `${counted(clients.length, "client")} (${names.join(", ")}${rest})`;
}
