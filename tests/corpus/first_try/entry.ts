import type { Tab } from "../../support/chromium.ts";
import type { StartableEntry } from "../harness/start_entry.ts";

/** What an application may learn: about the user of RUNNING.md, or by her leave. */
export const facts = {
  "user name": /\bada\b(?!@)/,
  "name": /\bAda Lovelace\b/,
  "e-mail": /\bada@example\.org\b/,
  "groups": /\bstaff\b/,
  "answer of a tool": /\bThe notes of \S+/,
};

export type Fact = keyof typeof facts;

/** A real application, whose configuration is what `client add --app` prints. */
export interface TriedApplication extends StartableEntry {
  /** The name of its entry. */
  app: string;
  version: string;
  /** The path that its URL has, if that is not where it is started. */
  path?: string;
  /** The file of the lines that are pasted, for its environment: LINES. The default is `lines`. */
  linesFile?: string;
  /** The configuration of a server where it registers itself, so that it needs no `--app`. */
  registers?(base: string): object;
  /** Where a person begins, and what she presses there. */
  begin: string;
  press?: string;
  /** The page that shows what it knows about her, after a sign-in alone. */
  account: string;
  /** What is known to it; the page shows the first. */
  learns: readonly Fact[];
  /** Reads what the page does not show. */
  read?(visit: Visit): Promise<string>;
  /** Lets the application refresh, and fails if it does not. */
  refresh?(visit: Visit): Promise<void>;
  /** What leads to a sign-out of both, or of the application alone. */
  signOut?: { path: string; press?: string };
  /** Whether it ends its session when the server says so. */
  hearsSignOut?: boolean;
  /** What turns PKCE on in its lines, which is not its default. */
  turnsPkceOn?: RegExp;
}

/** An application that runs, and a browser in it. */
export interface Visit {
  tab: Tab;
  base: string;
  issuer: string;
  /** Goes to a page and signs in if that is asked for. */
  open(path: string): Promise<void>;
  /** Sends a request as the browser does, and returns the status. */
  status(path: string): Promise<number>;
}
