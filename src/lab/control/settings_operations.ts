import { isObject } from "../../server/util/text/json.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation } from "../core/operation.ts";
import { isJsonSetting } from "../lab_server/json_settings.ts";

/**
 * Users and clients have operations of their own. A lab makes its keys, and a secret of the server
 * is neither shown nor saved.
 */
const hiddenSettings = ["users", "clients", "secret", "signingKeys"];

export const settingsOperations: readonly Operation[] = [
  operation("GET /settings", {
    name: "show-settings",
    summary: "Returns the settings that the lab was given, without users, clients and secrets.",
    returns: "LabSettings",
    run: shownSettings,
  }),
  operation("POST /settings", {
    name: "change-settings",
    summary: "Changes settings, merged as in RFC 7396; null removes one.",
    body: { name: "LabSettings" },
    example: { body: { lifetimes: { accessToken: "2m" } } },
    returns: "LabSettings",
    run(lab, { body }) {
      lab.settings.change(body);
      return shownSettings(lab);
    },
  }),
  operation("DELETE /settings", {
    name: "restore-settings",
    summary: "Returns to the settings of the start.",
    returns: "LabSettings",
    run(lab) {
      lab.settings.reset();
      return shownSettings(lab);
    },
  }),
  operation("POST /reset", {
    name: "reset",
    page: { title: "Reset the lab" },
    summary:
      "Returns everything, also clients, to how it was at the start, except the signing keys.",
    agents: "Use it between two experiments. report keeps what was found.",
    run: (lab) => lab.reset(),
  }),
];

/** Returns the configuration file of a lab that starts as this one is now. */
export function savedConfiguration(lab: CoreLab): string {
  const settings = Object.entries(lab.settings.read())
    .filter(([name]) => isJsonSetting(name) && !hiddenSettings.includes(name));
  const configuration = {
    ...Object.fromEntries(settings),
    users: lab.users.list(),
    clients: lab.clients.list(),
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

function shownSettings({ settings }: CoreLab): Record<string, unknown> {
  const shown = Object.entries(settings.read()).filter(([name]) => !hiddenSettings.includes(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutSecret(value)]));
}

/** The initial access token is a member of the setting `registration`. */
function withoutSecret(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { initialAccessToken: _, ...others } = value;
  return others;
}
