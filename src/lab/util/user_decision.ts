import type { Context } from "../../server/issuer/context.ts";
import { LabError, unknownName } from "./lab_error.ts";

/**
 * The header by which the browser of a lab sees pages that the lab would skip: its user decides
 * something else than hands-free users do.
 */
export const shownPagesHeader = "Lab-Pages";

/** What a user decides. */
export interface UnaskedDecision {
  /**
   * Whether the user allows the request or denies it.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /**
   * The part of the scope that the user allows. `openid` is allowed with any part.
   *
   * @default all that is requested
   */
  grant?: readonly string[] | undefined;
}

/** Returns the pages that a browser wants to see, although the lab would skip them. */
export function shownPages(header: string | null | undefined): string[] {
  return header?.split(",").map((name) => name.trim()) ?? [];
}

/** Checks what a user of a test is to decide. A server that takes any scope knows none yet. */
export function checkDecision(
  { settings: { scopes }, addsScope }: Context,
  { decision = "allow", grant }: UnaskedDecision,
): void {
  if (decision !== "allow" && decision !== "deny") {
    throw unknownName("decision", decision, ["allow", "deny"]);
  }
  if (grant === undefined) return;
  if (!Array.isArray(grant)) throw new LabError("The 'grant' must be a list of scopes.");
  const unknown = addsScope ? undefined : grant.find((token) => !scopes.has(token));
  if (unknown !== undefined) throw unknownName("scope", String(unknown), [...scopes.keys()]);
}
