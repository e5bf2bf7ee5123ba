import type { BetterAuthOptions } from "better-auth";
import { auth0, genericOAuth, keycloak, okta } from "better-auth/plugins/generic-oauth";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import { callback, openProvider, webClient } from "../../support/provider_login.ts";
import { app } from "./app_browser.ts";
import { BetterAuthApp } from "./better_auth_app.ts";

/** A provider of the library, and the preset that it meets. */
export interface BetterAuthCase {
  preset: Parameters<typeof openProvider>[0];
  /** The settings of the lab; a provider whose customers have an issuer each needs one. */
  lab?: HallpassOptions;
  /** Creates the application, as its documentation shows. */
  create: () => BetterAuthApp;
  /** The id of the account at the provider. */
  account: RegExp;
  refreshes: boolean;
  /** Where an app would sign in itself, below the issuer. */
  paths?: { authorize: string; token: string };
}

const { id: clientId, secret: clientSecret = "" } = webClient;
const oktaIssuer = "https://dev-1.okta.com/oauth2/default";
const keycloakIssuer = "https://sso.example.com/realms/shop";
const domain = "https://shop.auth.eu-west-1.amazoncognito.com";
const pool = { domain, region: "eu-west-1", userPoolId: "eu-west-1_Ab1" };
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** What applications add to get a refresh token where one must ask for it. */
const scopes = ["openid", "profile", "email", "offline_access"];

/** Providers whose hosts the library has in its code. */
export const atHosts: Readonly<Record<string, BetterAuthCase>> = {
  google: {
    preset: "google",
    lab: { hosts: true },
    create: () => withProvider("google", { accessType: "offline" }),
    account: /^\d{21}$/,
    refreshes: true,
  },
  github: {
    preset: "github",
    create: () => withProvider("github"),
    account: /^\d+$/,
    refreshes: false,
  },
  gitlab: {
    preset: "gitlab",
    create: () => withProvider("gitlab"),
    account: /^\d+$/,
    refreshes: true,
  },
  discord: {
    preset: "discord",
    create: () => withProvider("discord"),
    account: /^\d{18}$/,
    refreshes: true,
  },
  linkedin: {
    preset: "linkedin",
    create: () => withProvider("linkedin"),
    account: /^[\w-]{10,}$/,
    refreshes: false,
  },
  slack: {
    preset: "slack",
    create: () => withProvider("slack"),
    account: /^U[0-9A-Z]+$/,
    refreshes: false,
  },
  microsoft: {
    preset: "entra",
    lab: { hosts: true },
    create: () => withProvider("microsoft"),
    account: uuid,
    refreshes: true,
  },
};

/** Providers whose customers have an issuer each. */
export const atIssuers: Readonly<Record<string, BetterAuthCase>> = {
  auth0: {
    preset: "auth0",
    lab: { issuer: "https://shop.eu.auth0.com/" },
    create: () => withPlugin(auth0({ ...registered(), scopes, domain: "shop.eu.auth0.com" })),
    account: /^auth0\|[0-9a-f]{24}$/,
    refreshes: true,
  },
  okta: {
    preset: "okta",
    lab: { issuer: oktaIssuer },
    create: () => withPlugin(okta({ ...registered(), scopes, issuer: oktaIssuer })),
    account: /^00u\w{17}$/,
    refreshes: true,
  },
  keycloak: {
    preset: "keycloak",
    lab: { issuer: keycloakIssuer },
    create: () => withPlugin(keycloak({ ...registered(), issuer: keycloakIssuer })),
    account: uuid,
    refreshes: true,
  },
  cognito: {
    preset: "cognito",
    lab: {
      issuer: `https://cognito-idp.${pool.region}.amazonaws.com/${pool.userPoolId}`,
      frontChannelUrl: domain,
      backChannelUrl: domain,
    },
    create: () => withProvider("cognito", pool),
    account: uuid,
    refreshes: true,
  },
};

/** Opens a lab that plays the provider, with the application as its client. */
export function openFor(id: string, { preset, lab }: BetterAuthCase): Promise<TestLab> {
  const redirectUris = [callback, `${app}/api/auth/callback/${id}`];
  return openProvider(preset, { clients: [{ ...webClient, redirectUris }], ...lab });
}

function registered() {
  return { clientId, clientSecret };
}

/** Creates an application with a provider of the library's own. */
export function withProvider(id: string, settings = {}): BetterAuthApp {
  const socialProviders = { [id]: { ...registered(), ...settings } };
  return new BetterAuthApp(id, {
    socialProviders: socialProviders as NonNullable<BetterAuthOptions["socialProviders"]>,
  });
}

function withPlugin(config: Parameters<typeof genericOAuth>[0]["config"][number]): BetterAuthApp {
  return new BetterAuthApp(config.providerId, { plugins: [genericOAuth({ config: [config] })] });
}
