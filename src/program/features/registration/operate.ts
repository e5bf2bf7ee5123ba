import type { Settings } from "../../../server/config/settings.ts";
import { policyOf } from "../../../server/features/registration/registration_policy.ts";
import type { LeniencySwitch } from "../../operate/leniency.ts";

/** Whether anyone may register a client. */
export function isOpenToRegistration(settings: Settings): boolean {
  return policyOf(settings).open;
}

/** Lists what a client gains that registers with an initial access token. */
export function ofRegistration(settings: Settings): LeniencySwitch[] {
  const { trusted, pkce, assertionAudience } = policyOf(settings);
  return [
    {
      setting: "registration.trusted",
      isOn: trusted,
      effect: "treats registered clients like configured ones",
      see: "RFC 9700, section 4.11.2",
    },
    {
      setting: "registration.pkce",
      isOn: pkce === "optional",
      effect: "lets registered clients leave PKCE out",
      see: "OAuth 2.1, section 7.5.1",
    },
    {
      setting: "registration.assertionAudience",
      isOn: assertionAudience === "token-endpoint",
      effect: "may be the token endpoint",
      see: "RFC 10070, section 4",
    },
  ];
}
