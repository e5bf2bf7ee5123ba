import type { ApiDrillOptions } from "./api_drill_options.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";

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
   * Calls an API with tokens that it must refuse, and with unusual ones that it must accept, and
   * returns what it did wrong: `lab.drillApi({ request: "http://localhost:3001/orders", scope:
   * "orders:read" })`. An API in this process is a function: `{ request: (request) =>
   * app.fetch(request), url: "http://localhost:3001/orders" }`. An Express app is no such function:
   * let it listen, and pass its URL. The API must trust this lab as its
   * issuer. All requests are the same but for their tokens.
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
