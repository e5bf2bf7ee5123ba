import type { LogoutClientConfig } from "../../../server/features/logout/config.ts";
import type { LabFeature } from "../../feature.ts";

/** The demo clients may return to their home pages after a sign-out. */
export const demoLogout: LabFeature = {
  name: "logout",
  leniency: {
    names: ({ logoutConfirmation: confirmation }) =>
      confirmation === "skip" ? ["logoutConfirmation: skip"] : [],
  },
  demo: { ofApplication: homeAfterLogout },
};

/**
 * Lets users return to the home page of the server, and of each application: to the root of its
 * origin, which libraries write with a slash and without.
 */
function homeAfterLogout(home: string, redirectUris: readonly string[]): LogoutClientConfig {
  const origins = redirectUris.filter((uri) => /^https?:/i.test(uri))
    .map((uri) => new URL(uri).origin);
  const pages = [...new Set(origins)].flatMap((origin) => [`${origin}/`, origin]);
  return { postLogoutRedirectUris: [home, ...pages] };
}
