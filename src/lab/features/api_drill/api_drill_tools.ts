import type { Duration } from "../../../server/util/time/duration.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";

/** How to drill an API. */
export interface ApiDrillOptions {
  /**
   * The method of every request.
   *
   * @default "GET"
   */
  method?: "GET" | "POST" | undefined;
  /**
   * Headers of every request, beside those with the token.
   *
   * @default none
   */
  headers?: Record<string, string> | undefined;
  /**
   * The body of every request, for the method POST.
   *
   * @default none
   */
  body?: string | undefined;
  /**
   * The scope that the API requires.
   *
   * @default the one in its challenge; without one, the drill doesn't check the scope
   */
  scope?: string | undefined;
  /**
   * The audience that the API expects.
   *
   * @default the `resource` in its metadata (RFC 9728), or else the default resource of the lab
   */
  audience?: string | undefined;
  /**
   * The user who may read the resource, or the id of a client.
   *
   * @default the first user
   */
  user?: string | undefined;
  /**
   * A user who may not.
   *
   * @default none: the drill doesn't check whose resource it is
   */
  otherUser?: string | undefined;
  /**
   * The id of the client that the tokens were issued to.
   *
   * @default the first one that users sign in to
   */
  client?: string | undefined;
  /**
   * Whether the API follows RFC 9068, and so refuses the type `JWT`.
   *
   * @default false
   */
  rfc9068?: boolean | undefined;
  /**
   * Whether the API must check DPoP, undeclared.
   *
   * @default false
   */
  dpop?: boolean | undefined;
  /**
   * Whether the API must check bound certificates, though it declares none.
   *
   * @default false
   */
  mutualTls?: boolean | undefined;
  /**
   * How long the API may take until it fetches a new key: `"40s"`. Many wait for half a minute.
   *
   * @default no time: an API that refuses a new key is not blamed for it. Many libraries wait for 30
   * seconds between two fetches.
   */
  keyWait?: Duration | undefined;
  /**
   * The ids of the checks. A drill of some checks gives no grade; its findings fail a run as others
   * do.
   *
   * @default all
   */
  only?: readonly string[] | undefined;
}

/** An API that listens, and how to drill it. */
export interface ApiDrillCall extends ApiDrillOptions {
  /** The URL that the requests go to. */
  request: string;
}

/** Responds to the requests of a drill in the process of the test. */
export type ApiHandler = (request: Request) => Response | Promise<Response>;

/** An API to drill, and how: the URL of one that listens, or one in the process of the test. */
export interface ApiDrill extends ApiDrillOptions {
  /** The URL that the requests go to, or a function that responds to them. */
  request: string | ApiHandler;
  /**
   * The URL of the requests that a function gets; not for an API that listens.
   *
   * @default the audience, if that is a URL
   */
  url?: string | undefined;
}

/** What a test can do with an API. */
export interface ApiDrillTools {
  /**
   * Calls an API that trusts this lab with tokens that it must refuse, and with unusual ones that
   * it must accept, and returns what it did wrong: `lab.drillApi({ request:
   * "http://localhost:3001/orders", scope: "orders:read" })`, or for an API in this process `{
   * request: (request) => app.fetch(request), url: "http://localhost:3001/orders" }`.
   *
   * @throws {LabError} The API refuses a valid token, so that the drill would prove nothing.
   */
  drillApi(api: ApiDrill): Promise<ApiDrillResult>;
}

/** What the pages need beside it. */
export interface ApiDrillInternals {
  /** Returns the last result for each API, and each client of its tokens. */
  apiDrills(): readonly ApiDrillResult[];
}
