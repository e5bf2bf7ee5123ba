import { linkSchemas } from "../../../server/config/link_schemas.ts";
import calls from "./calls.json" with { type: "json" };

/** The application to connect. */
export interface ConnectAppCall {
  /** Its library, such as Auth.js, Django or Spring Boot. Default: environment variables. */
  library?: string | undefined;
  /** The client that it is. Default: the first one that fits the library. */
  client?: string | undefined;
}

/** A client to register. */
export interface RegisterClientCall {
  /** The client_id. A client of this name is changed, and keeps its secret. */
  id: string;
  /** Where users return to after the sign-in, exactly as the application sends it. */
  redirectUris?: string[] | undefined;
  /**
   * What the application is: web has a secret, browser and native have none, machine has a secret
   * and no users.
   *
   * @default "web" for a new client
   */
  kind?: "web" | "browser" | "native" | "machine" | undefined;
}

/** Which part of a long result to show. */
export interface PagedCall {
  /**
   * The page.
   *
   * @integer
   * @minimum 1
   * @default 1
   */
  page?: number | undefined;
}

/** Which flows to list. */
export interface FlowsCall extends PagedCall {
  /** Only flows of this client. */
  client?: string | undefined;
  /** Only flows with a refused request. */
  refused?: boolean | undefined;
}

/** Which report to show. */
export interface ReportCall extends PagedCall {
  /** Only what is about this client. */
  client?: string | undefined;
}

/** What to explain. Without a member: the last request that the lab refused. */
export interface ExplainCall extends PagedCall {
  /** Only the last refused request of this client. */
  client?: string | undefined;
  /** A flow or a request: flow-3 or request-12. */
  flow?: string | undefined;
  /** The id of a rule or a finding: code.redirect_uri, for example. */
  rule?: string | undefined;
}

export const callSchemas = linkSchemas(calls);
