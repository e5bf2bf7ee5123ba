import type { LogoutClientConfig } from "../../../server/features/logout/config.ts";

/** Lets users return to the home page of the server, and of each application. */
export function homeAfterLogout(home: string, redirectUris: readonly string[]): LogoutClientConfig {
  return { postLogoutRedirectUris: [home, ...homePagesOf(redirectUris)] };
}

/**
 * Returns where an application may go after a sign-out: to the root of its origin, which libraries
 * write with a slash and without.
 */
function homePagesOf(redirectUris: readonly string[]): string[] {
  const origins = redirectUris.filter((uri) => /^https?:/i.test(uri))
    .map((uri) => new URL(uri).origin);
  return [...new Set(origins)].flatMap((origin) => [`${origin}/`, origin]);
}
