import type { ClientConfig } from "../../../server/features.ts";
import type { Check, Finding } from "../../findings/finding.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { CheckedApplication } from "./application_login.ts";
import type { LoginCheck } from "./compare_logins.ts";
import type { PageWatch } from "./page_watch.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

/** Returns the setting of a client, which may belong to a feature that the lab lacks. */
export function settingOf(client: ClientConfig | undefined, name: string): unknown {
  return Object.entries(client ?? {}).find(([member]) => member === name)?.[1];
}

/** All that a drill has seen so far. */
export interface SeenDrill {
  outcomes: readonly DrillOutcome[];
  /** What the session of the application shows. */
  checks: readonly Check[];
  logins: ReadonlyArray<readonly Exchange[]>;
  /** Returns the id of the flow that an exchange belongs to. */
  flowOf(exchange: number): string | undefined;
  loginChecks: readonly LoginCheck[];
  /** Whether the application verifies signatures. */
  verifies: boolean;
  /** The application and what its pages gave away, if the drill visits one. */
  application: CheckedApplication | undefined;
  pages: PageWatch | undefined;
  client: ClientConfig | undefined;
  mark(findings: readonly Finding[]): Finding[];
  isGraded: boolean;
}
