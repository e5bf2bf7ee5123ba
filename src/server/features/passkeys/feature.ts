import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { accountManagement } from "../account/feature.ts";
import { passkeyConfig, rpIdOf } from "./config.ts";

const { authenticateByPasskey: authenticate } = lazyModule(() => import("./authenticate.ts"));
const page = lazyModule(() => import("./change_passkeys.tsx"));
const links = lazyModule(() => import("./add_by_link.ts"));
const signIn = lazyModule(() => import("./sign_in_form.tsx"));
const moved = lazyModule(() => import("./moved_passkeys.ts"));
const { countPasskeys, forgetPasskeys } = lazyModule(() => import("./passkeys.ts"));

/** Users sign in by passkey (WebAuthn Level 3), because they may or must. */
export const passkeys: Feature = {
  name: "passkeys",
  needs: [accountManagement],
  config: passkeyConfig,
  secrets: ["passkey"],
  parameters: ["change", "passkey_key", "passkey_name"],
  routes: (settings) =>
    rpIdOf(settings) === undefined ? [] : [
      pageRoute("GET", "/passkeys/challenge", signIn.freshChallenge),
      pageRoute("GET", "/passkeys/script/:file", signIn.passkeyScript),
      pageRoute("GET", "/passkeys/new", links.showLink),
      pageRoute("POST", "/passkeys/new", links.addByLink),
      pageRoute("GET", "/account/passkeys", page.showPasskeys),
      pageRoute("POST", "/account/passkeys", page.changePasskeys),
    ],
  under: (settings) =>
    rpIdOf(settings) === undefined ? {} : {
      passkeys: {
        authenticate,
        signInForm: signIn.signInForm,
        accountSection: page.accountSection,
        count: countPasskeys,
        forget: forgetPasskeys,
        export: moved.exportPasskeys,
        checkMoved: moved.checkMoved,
        import: moved.importPasskeys,
      },
    },
};
