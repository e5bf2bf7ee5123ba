// The application under test: Auth0's SDK, as `lib/auth0.ts` of a Next.js application has it, whose
// `proxy.ts` passes each request to `auth0.middleware`. It contains no test code.
import { Auth0Client } from "@auth0/nextjs-auth0/server";

type Auth0Options = ConstructorParameters<typeof Auth0Client>[0];

export function createAuth0(options: Auth0Options = {}): Auth0Client {
  return new Auth0Client({
    domain: "shop.eu.auth0.com",
    clientId: "web",
    clientSecret: process.env.AUTH0_CLIENT_SECRET ?? "web-secret",
    secret: process.env.AUTH0_SECRET ?? "0123456789abcdef".repeat(4),
    appBaseUrl: "https://app.example",
    authorizationParameters: { scope: "openid profile email offline_access" },
    ...options,
  });
}
