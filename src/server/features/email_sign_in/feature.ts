import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { emailSignInSettings } from "./config.ts";

const { signInNameOf } = lazyModule(() => import("./sign_in_name.ts"));

/** Users may type their e-mail address instead of their name. */
export const emailSignIn: Feature = {
  name: "sign-in by e-mail",
  config: { server: emailSignInSettings },
  under: (settings) =>
    emailSignInSettings.of(settings).signInByEmail ? { signInName: signInNameOf } : {},
};
