import type { DetailType } from "../../protocol/authorization_details.ts";
import type { ClientConfig } from "../../config/client_config.ts";
import type { Config } from "../../config/config.ts";
import type { UserConfig } from "../../config/user_config.ts";
import { openIdScopes } from "../../config/openid_scopes.ts";
import { deviceCodeGrant } from "../../protocol/device_request.ts";
import { jwtBearerGrant } from "../../protocol/bearer_assertion.ts";
import { tokenExchangeGrant } from "../../protocol/token_exchange.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { demoFapiClients } from "./fapi_clients.ts";
import { demoPublicKey } from "./key.ts";

export const demoScopes: Record<string, string> = {
  ...openIdScopes,
  read: "Read your things",
  write: "Change your things",
};

/** Things that a scope could not say: how much, to whom, which. */
export const demoDetails: Record<string, DetailType> = {
  payment_initiation: {
    meaning: "Make a payment",
    members: {
      "actions?": "texts",
      instructedAmount: { currency: "text", amount: "text" },
      creditorName: "text",
      "creditorAccount?": { iban: "text" },
      "remittanceInformation?": "text",
    },
  },
  file_access: { meaning: "Use your files", members: { actions: "texts", path: "text", "recursive?": "flag", "maxBytes?": "number" } },
};

/** What the demo clients depend on. */
export interface DemoConfig extends Pick<Config, "issuer" | "frontChannel" | "profile"> {
  /** More redirect URIs. */
  redirectUris?: readonly string[];
}

/** Every kind of client once, as far as the profile has it. What they may do is the same; how they prove who they are is not. */
export function demoClients({ issuer, frontChannel = issuer, redirectUris = [], profile }: DemoConfig): ClientConfig[] {
  if (profile === "fapi-2.0") return demoFapiClients(frontChannel, redirectUris);
  const authorized = issuerUrl(frontChannel, "/authorized");
  const postLogoutRedirectUris = [issuerUrl(frontChannel, "/")];
  return [
    {
      id: "demo-spa",
      name: "Demo single-page app",
      redirectUris: [authorized, ...redirectUris],
      postLogoutRedirectUris,
      defaultScope: ["read"],
    },
    {
      id: "demo-web",
      name: "Demo web app",
      secret: "demo-web-secret",
      redirectUris: [authorized, ...redirectUris],
      postLogoutRedirectUris,
      defaultScope: ["read"],
    },
    {
      id: "demo-cli",
      name: "Demo command line",
      native: true,
      grantTypes: ["authorization_code", "refresh_token", deviceCodeGrant],
      redirectUris: ["http://127.0.0.1/callback", "http://[::1]/callback", "http://localhost/callback", ...redirectUris],
      postLogoutRedirectUris,
      defaultScope: ["read"],
    },
    {
      id: "demo-jwt",
      name: "Demo service with a key",
      jwks: { keys: [demoPublicKey] },
      scopes: ["read", "write"],
      defaultScope: ["read"],
    },
    {
      id: "demo-service",
      name: "Demo service",
      secret: "demo-service-secret",
      scopes: ["read", "write"],
      defaultScope: ["read"],
      introspect: "any",
      // It plays the API that tokens without a resource are for, and may call on to another one.
      resources: [issuer],
      grantTypes: ["client_credentials", tokenExchangeGrant, jwtBearerGrant],
      tokenExchange: { audiences: ["https://api.example"], impersonation: true, delegation: true },
    },
  ];
}

/** People with full, and different, claims. The password is the user name. */
export const demoUsers: UserConfig[] = [
  {
    name: "alice",
    password: "alice",
    claims: {
      name: "Alice Adler",
      given_name: "Alice",
      family_name: "Adler",
      middle_name: "Ada",
      nickname: "Al",
      preferred_username: "alice",
      profile: "https://people.example/alice",
      picture: "https://people.example/alice.png",
      website: "https://alice.example",
      gender: "female",
      birthdate: "1990-04-01",
      zoneinfo: "Europe/Zurich",
      locale: "de-CH",
      updated_at: 1_767_225_600,
      email: "alice@example.com",
      email_verified: true,
      phone_number: "+41 44 000 00 01",
      phone_number_verified: true,
      address: {
        formatted: "Alpenstrasse 1\n8000 Zurich\nSwitzerland",
        street_address: "Alpenstrasse 1",
        locality: "Zurich",
        postal_code: "8000",
        country: "Switzerland",
      },
    },
  },
  {
    name: "bob",
    password: "bob",
    claims: {
      name: "Bob Baker",
      given_name: "Bob",
      family_name: "Baker",
      middle_name: "B.",
      nickname: "Bobby",
      preferred_username: "bob",
      profile: "https://people.example/bob",
      picture: "https://people.example/bob.png",
      website: "https://bob.example",
      gender: "male",
      birthdate: "1985-11-23",
      zoneinfo: "America/New_York",
      locale: "en-US",
      updated_at: 1_769_904_000,
      email: "bob@example.com",
      email_verified: false,
      phone_number: "+1 212 555 0102",
      phone_number_verified: false,
      address: {
        formatted: "2 Broad Street\nNew York, NY 10004\nUSA",
        street_address: "2 Broad Street",
        locality: "New York",
        region: "NY",
        postal_code: "10004",
        country: "USA",
      },
    },
  },
  {
    name: "carol",
    password: "carol",
    claims: {
      name: "Carol Çelik",
      given_name: "Carol",
      family_name: "Çelik",
      middle_name: "Ceyda",
      nickname: "Caz",
      preferred_username: "carol",
      profile: "https://people.example/carol",
      picture: "https://people.example/carol.png",
      website: "https://carol.example",
      gender: "non-binary",
      birthdate: "0000-02-29",
      zoneinfo: "Asia/Tokyo",
      locale: "tr-TR",
      updated_at: 1_772_323_200,
      email: "carol+test@example.org",
      email_verified: true,
      phone_number: "+81 3 0000 0003;ext=42",
      phone_number_verified: true,
      address: { formatted: "3-3 Chiyoda\nTokyo 100-0001\nJapan", locality: "Tokyo", postal_code: "100-0001", country: "Japan" },
    },
  },
];
