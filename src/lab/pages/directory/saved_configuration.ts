import type { Lab } from "../../control/lab.ts";
import { changeableSettings } from "../../lab_server/changeable_settings.ts";

/** Left out: a lab makes its keys, and a secret of the server does not belong in a file. */
const leftOut: readonly string[] = ["secret", "signingKeys", "users", "clients"];

/** Returns the configuration file of a lab that starts as this one is now. */
export function savedConfiguration(lab: Lab): string {
  const settings = Object.entries(lab.settings.read())
    .filter(([name]) => changeableSettings.includes(name) && !leftOut.includes(name));
  const configuration = {
    ...Object.fromEntries(settings),
    users: lab.users.list(),
    clients: lab.clients.list(),
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}
