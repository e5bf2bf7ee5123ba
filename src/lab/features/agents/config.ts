import { linkSchemas } from "../../../server/config/link_schemas.ts";
import type { SignInOptions } from "../../sign_in/hands_free.ts";
import settings from "./settings.json" with { type: "json" };

/** The application to connect. */
export interface ConnectAppCall {
  /**
   * The library of the application, such as Auth.js, Django or Spring Boot.
   *
   * @default environment variables
   */
  library?: string | undefined;
  /**
   * The client that the application is.
   *
   * @default the first one that fits the library
   */
  client?: string | undefined;
}

/** A client to register. */
export interface RegisterClientCall {
  /** The client_id. A client of this name is changed, and keeps its secret. */
  id: string;
  /**
   * Where users return to after the sign-in, exactly as the application sends it.
   *
   * @default none
   */
  redirectUris?: string[] | undefined;
  /**
   * What the application is: web has a secret, browser and native have none, machine has a secret
   * and no users.
   *
   * @default "web"
   */
  kind?: "web" | "browser" | "native" | "machine" | undefined;
}

/** The user who signs in without a page. */
export interface SignInAsCall extends SignInOptions {
  /**
   * The name of the user: alice, for example.
   *
   * @default none: users see the sign-in page again
   */
  user?: string | undefined;
}

/** Which flows to list. */
export interface FlowsCall {
  /**
   * Only flows of this client.
   *
   * @default any
   */
  client?: string | undefined;
  /**
   * Only flows with a refused request.
   *
   * @default false
   */
  refused?: boolean | undefined;
  /**
   * The page of the list.
   *
   * @integer
   * @minimum 1
   * @default 1
   */
  page?: number | undefined;
}

/** What to explain. Without a member: the last request that the lab refused. */
export interface ExplainCall {
  /** A flow or a request: flow-3 or request-12. */
  flow?: string | undefined;
  /** The id of a rule or a finding: code.redirect_uri, for example. */
  rule?: string | undefined;
  /**
   * The page of a long text.
   *
   * @integer
   * @minimum 1
   * @default 1
   */
  page?: number | undefined;
}

/** Which part of a report to show. */
export interface ReportCall {
  /**
   * The page of a long report.
   *
   * @integer
   * @minimum 1
   * @default 1
   */
  page?: number | undefined;
}

/** How the lab shall misbehave. Without a member: the faults that are on. */
export interface BreakCall {
  /** The name of a fault, or words of it: id_token.expired, or "expired id token". */
  fault?: string | undefined;
  /**
   * The client that meets it.
   *
   * @default every client
   */
  client?: string | undefined;
  /**
   * How often it fires.
   *
   * @integer
   * @minimum 1
   * @default until it is switched off
   */
  times?: number | undefined;
  /**
   * Whether to switch the fault off, or without `fault`, all faults.
   *
   * @default false
   */
  off?: boolean | undefined;
}

/** An application that runs, and how its login works. */
export interface DrillAppCall {
  /** The URL that begins a login: it leads to the lab, directly or through a button. */
  start: string;
  /**
   * A URL that only someone who is signed in can open.
   *
   * @default the start URL
   */
  check?: string | undefined;
  /**
   * A URL that makes the application refresh its tokens.
   *
   * @default none
   */
  refresh?: string | undefined;
  /**
   * A URL that signs the user out.
   *
   * @default none
   */
  logout?: string | undefined;
  /**
   * The name of the user who signs in.
   *
   * @default the first user
   */
  user?: string | undefined;
  /**
   * The faults to try.
   *
   * @default all that apply to a login
   */
  only?: string[] | undefined;
  /**
   * The page of a long result, which is not run again.
   *
   * @integer
   * @minimum 1
   * @default 1
   */
  page?: number | undefined;
}

/** An API that runs, and how to call it. */
export interface DrillApiCall {
  /** The URL to request. The API must trust this lab as its issuer. */
  request: string;
  /**
   * The method.
   *
   * @default "GET"
   */
  method?: "GET" | "POST" | undefined;
  /**
   * The body, for POST.
   *
   * @default none
   */
  body?: string | undefined;
  /**
   * The scope that the API requires.
   *
   * @default the one in its challenge
   */
  scope?: string | undefined;
  /**
   * The audience that the API expects.
   *
   * @default the resource in its metadata (RFC 9728), or the default resource of the lab
   */
  audience?: string | undefined;
  /**
   * The name of the user who may read the resource.
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
   * The ids of the checks.
   *
   * @default all
   */
  only?: string[] | undefined;
}

export const callSchemas = linkSchemas(settings);
