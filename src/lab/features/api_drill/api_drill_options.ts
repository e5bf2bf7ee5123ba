import type { Duration } from "../../../server/util/time/duration.ts";

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
   * The name of the user who may read the resource, or the id of a client.
   *
   * @default the first user
   */
  user?: string | undefined;
  /**
   * The name of a user who may not.
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
   * Whether the API follows RFC 9068, and so must refuse an access token of the type `JWT`.
   *
   * @default false
   */
  rfc9068?: boolean | undefined;
  /**
   * How long the API may take until it fetches a new key, such as `"40s"`: many libraries wait for
   * 30 seconds between two fetches.
   *
   * @default no time: an API that refuses a new key is not blamed for it
   */
  keyWait?: Duration | undefined;
  /**
   * The ids of the checks. A drill of some checks gives no grade; its violations fail a run as
   * others do.
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
