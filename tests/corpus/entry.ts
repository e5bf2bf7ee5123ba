import type { Grade } from "../../src/lab/findings/grade.ts";
import type { KeptRules } from "./kept.ts";

/** What installs the libraries of some entries, in a copy of its folder. */
export interface Toolchain {
  /** The folder, below `tests/corpus`. */
  folder: string;
  /** Installs what the folder pins. */
  install: readonly string[];
  /** The files that decide what is installed. */
  pinned: readonly string[];
  /** Prints a version, or fails where this machine cannot have it. */
  probe: readonly string[];
  /** Whether it takes minutes, so that no daily run installs it. */
  isSlow?: boolean;
}

/**
 * The grade that a drill must give, and why, by someone who has read the code and its library's, and
 * not the result. A letter from C down names a rule that `keeps` does not have, and no more: what a
 * library lets through is told as the README says.
 */
export type Expected = readonly [grade: Grade, because: string];

/** A correct application or API, of a library and as its documentation says. */
export interface Entry {
  /** The library with what it is used in. */
  name: string;
  version: string;
  /** The page that it follows. */
  follows: string;
  expected: Expected;
  toolchain: Toolchain;
  /** What starts it in the folder; it finds ISSUER, PORT, BASE_URL, CLIENT_ID and CLIENT_SECRET. */
  start: readonly string[];
  env?: Record<string, string>;
  /** The rules that it is known to keep. A violation of one of them is wrong. */
  keeps: readonly KeptRules[];
  /** How many seconds it may take to start. */
  startSeconds?: number;
}

/** A correct application. */
export interface ApplicationEntry extends Entry {
  /** The path of its redirect URI. */
  callback: string;
  /** Its pages. */
  paths: {
    login: string;
    check: string;
    refresh?: string;
    logout?: string;
  };
  /** What its registration has besides. Paths become URLs. */
  client?: {
    pkce?: "optional";
    postLogoutRedirectUris?: readonly string[];
    backchannelLogoutUri?: string;
    [setting: string]: unknown;
  };
}

/** A correct API. */
export interface ApiEntry extends Entry {
  /** The path of what it protects. */
  path: string;
  /** The `typ` of the access tokens that it takes. */
  accessTokenType?: "JWT";
}
