import type { ClientConfig, Config } from "../../server/features.ts";
import type { Dialect } from "../dialect/dialect.ts";
import type { LabEvent } from "../recording/lab_event.ts";

/** The configuration of a lab without the settings of its features. */
export interface CoreLabConfig extends LabServerConfig, CoreLabPowers {}

/** Settings of a lab or a tenant, as far as somebody gave them. */
export type GivenLabConfig = { [Name in keyof CoreLabConfig]?: CoreLabConfig[Name] | undefined };

/** The configuration of the server in a lab. */
export interface LabServerConfig extends Omit<Config, "scopes"> {
  /**
   * Every scope, with its text on the consent page; or a list of scopes.
   *
   * @default the scopes of OpenID Connect and those of the demo
   */
  scopes?: Config["scopes"] | readonly string[] | undefined;
  /**
   * Additional redirect URIs for the demo clients.
   *
   * @default none
   */
  redirectUris?: readonly string[] | undefined;
}

/**
 * The settings of a lab beside those of its features. A tag has the reason why a server refuses a
 * setting (`@forTests`), why a lab that runs does not take it (`@atStart`), and why its interface
 * over HTTP does not take it for a tenant either (`@notOverHttp`).
 */
export interface CoreLabPowers {
  /**
   * Receives the events of the lab that its server does not know: faults, and changes of the clock.
   *
   * @notOverHttp it is code, which is given in TypeScript at the start
   */
  onLabEvent?: ((event: LabEvent) => void) | undefined;
  /**
   * The bearer token that the interface over HTTP requires; at least 16 characters. Without it,
   * every process on this machine can use the interface.
   *
   * @notOverHttp who may reach a lab is set at its start
   * @inherited by tenants
   */
  labToken?: string | undefined;
  /**
   * Why the lab reaches nothing outside of it, and the command that runs one which does. Its pages
   * say so in place of what cannot work.
   *
   * @notOverHttp it says how the lab runs
   * @inherited by tenants
   */
  confined?: { readonly reason: string; readonly command: string } | undefined;
  /**
   * Whether `fetch` leaves out the interface over HTTP, which then has a separate port.
   *
   * @notOverHttp who may reach a lab is set at its start
   * @inherited by tenants
   */
  controlApart?: boolean | undefined;
  /**
   * Returns where browsers find the pages of the interface if it is left out of `fetch`, so that
   * error pages can link to their flow.
   *
   * @notOverHttp who may reach a lab is set at its start
   */
  pagesUrl?: (() => string | undefined) | undefined;
  /**
   * Signs in the user of a `login_hint` and gives consent, without any page.
   *
   * @forTests it signs users in without asking them
   */
  signInByHint?: boolean | undefined;
  /**
   * The name of a user whom every authorization request signs in at once, without a page, and who
   * allows everything.
   *
   * @default none: users sign in on the page
   * @forTests it signs users in without asking them
   * @atStart use lab.signIn, or POST /lab/sign-in
   */
  signIn?: string | undefined;
  /**
   * Asks users for their consent, or allows everything without that page.
   *
   * @default "ask"
   * @forTests it leaves the consent page out
   */
  consent?: "ask" | "skip" | undefined;
  /**
   * Adds an `error_uri` to errors, which leads to the step in its flow, and the fix to challenges.
   *
   * @default true
   * @forTests it links to pages that explain an error to anyone
   */
  errorUri?: boolean | undefined;
  /**
   * Makes codes, tokens and ids the same in every run, for requests in the same order; with a
   * frozen clock and RS256, whole JWTs as well.
   *
   * @default none: they are random
   * @forTests it makes codes and tokens that can be predicted
   * @atStart it decides every random value from the start on
   * @inherited by tenants
   */
  seed?: string | number | undefined;
  /**
   * Settings of every client that does not have its own: configured, demo and unknown ones. `pkce`
   * is for those that authenticate.
   *
   * @default {}
   * @forTests it weakens every client at once
   * @atStart it is set at the start, or for a tenant
   */
  clientDefaults?: ClientDefaults | undefined;
  /**
   * How names, shapes and paths differ from those of the server, as data.
   *
   * @forTests it changes what the server sends
   * @atStart it is set at the start, or for a tenant
   */
  dialect?: Dialect | undefined;
}

/** The settings of a client that a lab can have a default for. */
export type ClientDefaults = Pick<
  ClientConfig,
  | "pkce"
  | "redirectUriAtToken"
  | "responseModes"
  | "rememberConsent"
  | "partialConsent"
  | "accessTokenFormat"
  | "subjectType"
  | "assertionAudience"
>;
