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
    [
      "registration.trusted",
      trusted,
      "treats registered clients like configured ones",
      "RFC 9700, section 4.11.2",
    ],
    [
      "registration.pkce",
      pkce === "optional",
      "lets registered clients leave PKCE out",
      "OAuth 2.1, section 7.5.1",
    ],
    [
      "registration.assertionAudience",
      assertionAudience === "token-endpoint",
      "may be the token endpoint",
      "RFC 10070, section 4",
    ],
  ];
}
