import { ownSegments } from "../../handling/tenant_addresses.ts";
import { MockRefusal } from "./mock_error.ts";

/** How many issuers a lab makes on first touch: names come from anyone who sends a request. */
export const maxIssuers = 100;

/** Names that a path can bring: no dot segments, nothing that needs an escape. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;

/** Paths of the lab, which no issuer may hide. */
const reserved: readonly string[] = [...ownSegments, "isalive", "mcp", "ready", "device"];

/** The issuers that were touched. */
export interface MockIssuers {
  /**
   * Makes an issuer on first touch.
   *
   * @throws {MockRefusal} The name is not allowed, or there are too many issuers.
   */
  touch(name: string): void;
  /** Returns the names, the oldest first. */
  names(): string[];
}

/** Creates an empty list of issuers. */
export function createMockIssuers(): MockIssuers {
  const touched = new Set<string>();
  return {
    touch(name) {
      if (touched.has(name)) return;
      checkName(name);
      if (touched.size >= maxIssuers) {
        throw new MockRefusal(
          "invalid_request",
          `There are ${maxIssuers} issuers already, and a lab makes no more. Use one of them, ` +
            "or restart the lab.",
        );
      }
      touched.add(name);
    },
    names: () => [...touched],
  };
}

/** Whether a path segment is one of the lab, which is no name of an issuer. */
export function isReserved(name: string): boolean {
  return reserved.includes(name);
}

/** Checks the name of an issuer. */
export function checkName(name: string): void {
  if (isReserved(name)) {
    throw new MockRefusal("invalid_request", `'${name}' is a path of the lab, and no issuer.`);
  }
  if (nameForm.test(name)) return;
  throw new MockRefusal(
    "invalid_request",
    "The name of an issuer has up to 64 letters, digits, dots, hyphens, underscores and tildes, " +
      "and begins with a letter or digit.",
  );
}
