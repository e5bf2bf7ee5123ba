import {
  type AddedServerSettings,
  type FeatureConfig,
  settingsPart,
} from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import { defaultPolicies } from "../../config/policies.ts";
import type { ReportProblem } from "../../config/problems.ts";
import type { Settings } from "../../config/settings.ts";
import { needsPasskey } from "../../issuer/users/sign_in_factor.ts";
import type { TextLoaders } from "../../pages/languages/languages.ts";
import { isLoopbackName } from "../../util/addresses/uri.ts";
import type { PasskeyWords } from "./languages/en.ts";
import settings from "./settings.json" with { type: "json" };

/** How users sign in, besides by password. */
export interface PasskeyConfig {
  /**
   * Whether users of the store may sign in by passkey, or must. `"offered"` has no effect at an IP
   * address, where browsers offer none, and next to a policy `authenticate`, unless as an object.
   *
   * @default "offered"
   */
  passkeys?: "off" | "offered" | PasskeySettings;
}

/** How passkeys are offered, or required. */
export interface PasskeySettings {
  /** Who must sign in by passkey: all users, or those of these groups. Others may. */
  required?: "all" | string[];
  /**
   * The domain that passkeys are for: the host of the `frontChannelUrl`, or a parent of it. A passkey
   * works only for the domain that it was made for.
   *
   * @default the host of the `frontChannelUrl`
   */
  rpId?: string;
}

const part = settingsPart<Required<PasskeyConfig>>(linkSchemas(settings).PasskeyConfig);

const server: AddedServerSettings<PasskeyConfig> = {
  ...part,
  check: checkPasskeys,
  sets({ passkeys }) {
    if (passkeys === "off") return {};
    return { passkeyDemand: typeof passkeys === "object" ? passkeys.required ?? [] : [] };
  },
};

export const passkeyConfig: FeatureConfig = { server };

export const passkeyTexts: TextLoaders<PasskeyWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};

export const passkeySettings = part.of;

/** Returns the RP ID; undefined if passkeys are off, or cannot be offered. */
export function rpIdOf(settings: Settings): string | undefined {
  const { passkeys } = part.of(settings);
  if (passkeys === "off" || offeringProblem(settings)) return undefined;
  return typeof passkeys === "object" && passkeys.rpId || hostOf(settings);
}

/** Returns why this server offers no passkeys, if they are not switched off. */
export function offeringProblem(settings: Settings): string | undefined {
  // It may refuse users whom their passkeys would sign in.
  if (part.of(settings).passkeys === "offered" && hasOwnSignIn(settings)) {
    return "the policy 'authenticate' signs users in";
  }
  return addressProblem(settings);
}

/** Returns why browsers offer no passkeys at the address of this server, if they don't. */
function addressProblem(settings: Settings): string | undefined {
  const host = hostOf(settings);
  if (/^\[|^[\d.]+$/.test(host)) return `browsers offer none at an address, as ${host} is`;
  const isSecure = settings.frontChannelUrl.startsWith("https:") || isLoopbackName(host);
  return isSecure ? undefined : "browsers offer them only on https";
}

function hasOwnSignIn({ policies }: Settings): boolean {
  return policies.authenticate !== defaultPolicies.authenticate;
}

function hostOf({ frontChannelUrl }: Settings): string {
  return new URL(frontChannelUrl).hostname;
}

function checkPasskeys({ passkeys }: PasskeyConfig, settings: Settings, report: ReportProblem) {
  if (typeof passkeys !== "object" || !URL.canParse(settings.frontChannelUrl)) return;
  const { required, rpId } = passkeys;
  const host = hostOf(settings);
  const isParent = rpId !== undefined && rpId.includes(".") && host.endsWith(`.${rpId}`);
  if (rpId !== undefined && rpId !== host && !isParent) {
    report("passkeys.rpId", `must be '${host}', or a parent domain of it with a dot inside`);
  }
  if (required === undefined) return;
  const problem = addressProblem(settings);
  if (problem) report("passkeys.required", `locks users out: ${problem}`);
  // What signs them in there may be as strong.
  if (hasOwnSignIn(settings)) return;
  for (const { name, claims } of settings.users.list()) {
    const isRequired = needsPasskey({ passkeyDemand: required }, { claims: { ...claims } });
    if (!isRequired) continue;
    report("passkeys.required", `locks '${name}' out: users of the configuration have no passkeys`);
  }
}
