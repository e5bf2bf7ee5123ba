import type { Settings } from "../../../server/config/settings.ts";
import { logoutServer } from "../../../server/features/logout/config.ts";
import type { LeniencySwitch } from "../../operate/leniency.ts";

/** Lists whether a logout request needs no ID token. */
export function ofLogout(settings: Settings): LeniencySwitch[] {
  return [{
    setting: "logoutConfirmation",
    isOn: logoutServer.of(settings).logoutConfirmation === "skip",
    effect: "is skipped: any page can sign users out",
    see: "OpenID Connect RP-Initiated Logout, section 6",
  }];
}
