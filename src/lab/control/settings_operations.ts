import { isObject } from "../../server/util/text/json.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { Operation } from "../core/operation.ts";

/** Users and clients have operations of their own, and secrets are not shown. */
const hiddenSettings = ["users", "clients", "secret", "signingKeys"];

export const settingsOperations: readonly Operation[] = [
  {
    name: "show-settings",
    method: "GET",
    path: "/settings",
    summary: "Returns the settings that the lab was given, without users, clients and secrets.",
    returns: "LabSettings",
    run: shownSettings,
  },
  {
    name: "change-settings",
    method: "POST",
    path: "/settings",
    summary: "Changes settings, merged as in RFC 7396; null removes one.",
    body: { name: "LabSettings" },
    example: { body: { lifetimes: { accessToken: "2m" } } },
    returns: "LabSettings",
    run(lab, { body }) {
      lab.settings.change(body);
      return shownSettings(lab);
    },
  },
  {
    name: "restore-settings",
    method: "DELETE",
    path: "/settings",
    summary: "Returns to the settings of the start.",
    returns: "LabSettings",
    run(lab) {
      lab.settings.reset();
      return shownSettings(lab);
    },
  },
  {
    name: "reset",
    method: "POST",
    path: "/reset",
    summary: "Returns everything to how it was at the start, except the signing keys.",
    agents: "Use it between two experiments. report keeps what was found.",
    run: (lab) => lab.reset(),
  },
];

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
