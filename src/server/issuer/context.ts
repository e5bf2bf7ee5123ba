import type { EventRequest, RequestFacts, ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import type { ReadOrigin, RequestOrigin } from "../http/client_address.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Client } from "../model/client.ts";
import type { EndpointField, ServerMetadata } from "../model/server_metadata.ts";
import type { AppliedRule, ApplyRule } from "../protocol/rule.ts";
import type { ExternalKeys } from "./external/external_keys.ts";
import type { Cipher } from "./keys/cipher.ts";
import type { DeriveSecret } from "./keys/derive.ts";
import type { Keys } from "./keys/keys.ts";
import type { Limits } from "./limits/limits.ts";
import type { Records } from "./records/records.ts";
import type { RequestHooks, ServerHooks } from "./server_hooks.ts";

/** Runs work that no request waits for. */
export interface Background {
  /** Starts some work. If it throws, a `work.failed` event is emitted. */
  begin(task: string, work: () => Promise<void>): void;
  /** Waits until all work is done. */
  idle(): Promise<void>;
}

/** Returns a part that a server has once, and makes it when it is first needed. */
export type PartOf = <Part>(create: (ctx: Context) => Part) => Part;

/** What every part of a running server works with. It is created once and frozen. */
export interface Context {
  readonly settings: Settings;
  /** Returns the metadata, which is computed when it is first needed. */
  readonly metadata: () => ServerMetadata;
  /** Returns the metadata as JSON, as it is sent. */
  readonly metadataText: () => string;
  readonly records: Records;
  readonly keys: ServerKeys;
  readonly cookies: CookieJar;
  readonly readOrigin: ReadOrigin;
  readonly limits: Limits;
  readonly partOf: PartOf;
  readonly background: Background;
  /** Starts the repeated tasks that are due. Requests call it, and what operates the server. */
  readonly maintain: () => void;
  /** What only the wrapper of a server can pass to it. */
  readonly hooks: ServerHooks & RequestHooks;
  /** In milliseconds. */
  readonly now: () => number;
  /** The network that sent the request; undefined if unknown, or in the background. */
  readonly sender?: string | undefined;
  readonly emit: (event: ServerEvent) => void;
  /** Notes what is learned about the request, if there is one, for its events. */
  readonly note: (facts: RequestFacts) => void;
  /** Applies a rule. During a request, it notes whether the rule holds. */
  readonly apply: ApplyRule;
}

/** The server's own keys, and what else is done with keys. */
export interface ServerKeys extends Keys {
  readonly external: ExternalKeys;
  /** Encrypts keys and secrets that are stored. */
  readonly encryption: Cipher;
  /** Checks that every key and secret can be decrypted, at most once a minute. */
  readonly checkEncryption: () => true | Promise<true>;
  readonly derive: DeriveSecret;
}

/** What an endpoint works with: the parts of the server, and what belongs to this one request. */
export interface RequestContext extends Context {
  readonly request: IncomingRequest;
  readonly origin: RequestOrigin;
  /** Its id in the log; none if there is no listener. */
  readonly requestId?: string;
  /** The client that sent the request, once it is known. */
  client?: Client;
  /** What is learned about the request, for its events. */
  readonly facts: RequestFacts;
  /** The rules that were applied to the request, in order; none if there is no listener. */
  readonly rules: readonly AppliedRule[];
}

/** What wraps the server, and looks at one request. */
export interface RequestObserver extends RequestHooks {
  onEvent(event: ServerEvent, request: EventRequest): void;
}

/** Returns the URL of an endpoint, as the metadata names it. */
export function endpointUrl(ctx: Context, field: EndpointField): string {
  const url = ctx.metadata()[field];
  if (url === undefined) throw new Error(`The metadata has no '${field}'.`);
  return url;
}

/** Returns the URL of an endpoint for browsers, or for a user at a terminal. */
export function browserEndpointUrl(ctx: Context, field: EndpointField): string {
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  return `${origin}${new URL(endpointUrl(ctx, field)).pathname}`;
}

/**
 * Returns the URLs by which a client can know the endpoint that it sent a request to: one for each
 * address of the server, which differ in their origins, and the one that it used.
 */
export function endpointUrls(ctx: RequestContext, field: EndpointField): string[] {
  const { sentTo } = ctx.request;
  const urls = aliasesOf(ctx, sentTo ?? endpointUrl(ctx, field));
  return sentTo === undefined || urls.includes(sentTo) ? urls : [...urls, sentTo];
}

/** Returns the URL of an endpoint at each address of the server. */
export function aliasesOf({ settings }: Context, url: string): string[] {
  const { pathname } = new URL(url);
  return settings.addresses.map((address) => `${new URL(address).origin}${pathname}`);
}

/**
 * Declares a part that each server has once, and makes when it is first needed: tables, budgets,
 * the settings of a feature. Call it at the top level of a module: its function identifies a part.
 */
export function serverPart<Part>(create: (ctx: Context) => Part): (ctx: Context) => Part {
  return (ctx) => ctx.partOf(create);
}
