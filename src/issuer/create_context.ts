import { cookieJar } from "../http/cookies.ts";
import type { Routed } from "../http/router.ts";
import { claimsOfScope } from "../protocol/claims.ts";
import { issuerUrl } from "../protocol/issuer_url.ts";
import type { EndpointField, Metadata } from "../protocol/metadata.ts";
import { describeServer } from "../protocol/metadata.ts";
import { memoryStore } from "../store/memory.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import type { Event } from "./events.ts";
import { createKeyRing } from "./key_ring.ts";
import { createRecords } from "./records.ts";
import { createSeal } from "./sealing.ts";
import type { Settings } from "./settings.ts";
import { createSweeper } from "./sweeper.ts";
import { createThrottle } from "./throttle.ts";

/** What the metadata must know of a route. */
type Told = Routed & { metadata?: EndpointField };

/** Puts a server's parts together, once. */
export function createContext(config: Config, settings: Settings, routes: readonly Told[], grantTypes: readonly string[]): Context {
  const now = config.now ?? Date.now;
  const emit = (event: Event) => config.onEvent?.(event);
  const records = createRecords(config.store ?? memoryStore(), now);
  const { issuer } = settings;
  return Object.freeze({
    config: settings,
    metadata: metadataOf(settings, routes, grantTypes),
    records,
    keys: createKeyRing({
      issuer,
      records,
      now,
      emit,
      seal: createSeal(settings.secret),
      makeKey: settings.policies.makeKey,
      algs: settings.idTokenAlgs,
    }),
    cookies: cookieJar(shortHash(issuer), settings.secure),
    throttle: createThrottle(now, settings.guessesPerMinute),
    sweep: createSweeper(records, now, emit),
    now,
    emit,
  });
}

/** Computed from what is there, so that it cannot tell of anything that is not. */
function metadataOf(settings: Settings, routes: readonly Told[], grantTypes: readonly string[]): Metadata {
  const told = routes.filter((route) => route.metadata !== undefined);
  const scopes = Object.keys(settings.scopes);
  return describeServer({
    issuer: settings.issuer,
    endpoints: Object.fromEntries(told.map((route) => [route.metadata, issuerUrl(settings.issuer, route.path)])),
    grantTypes: [...grantTypes],
    scopes,
    claims: ["sub", ...scopes.flatMap((scope) => claimsOfScope[scope] ?? [])],
    responseModes: ["query", "form_post", "fragment"],
    clientAuthentication: ["client_secret_basic", "client_secret_post", "none"],
    idTokenAlgs: settings.idTokenAlgs,
  });
}

/** A short mark of an issuer for the names of its cookies (FNV-1a); a clash would only let two servers of one host share a cookie name. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}
