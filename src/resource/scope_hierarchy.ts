import { isScopeToken } from "../server/protocol/scope.ts";

/** Scopes by the broader scope that implies them: `{ write: ["read"] }`. */
export type ImpliedScopes = Readonly<Record<string, readonly string[]>>;

/** Which scopes imply others. */
export interface ScopeHierarchy {
  /** Returns the required scopes that no granted one is or implies. */
  missing(required: readonly string[], granted: readonly string[]): string[];
  /** Returns the fewest of the required scopes that suffice: none that another one implies. */
  fewest(required: readonly string[]): string[];
}

/**
 * Creates a hierarchy from the configuration of an API. What a scope implies may imply others.
 *
 * @throws {TypeError} A scope is not one.
 */
export function createScopeHierarchy(implied: ImpliedScopes = {}): ScopeHierarchy {
  const below = new Map(
    Object.entries(implied).map(([token, scopes]) => {
      checkEntry(token, scopes);
      return [token, [...scopes]];
    }),
  );

  /** Two scopes may imply each other, so each is visited once. */
  function withImplied(granted: readonly string[]): Set<string> {
    const reached = new Set(granted);
    for (const token of reached) {
      for (const each of below.get(token) ?? []) reached.add(each);
    }
    return reached;
  }

  return {
    missing(required, granted) {
      const reached = withImplied(granted);
      return required.filter((token) => !reached.has(token));
    },
    fewest(required) {
      return required.reduce((kept, token) => {
        const others = kept.filter((each) => each !== token);
        return withImplied(others).has(token) ? others : kept;
      }, [...new Set(required)]);
    },
  };
}

function checkEntry(token: string, scopes: unknown): void {
  const isList = Array.isArray(scopes) &&
    scopes.every((each) => typeof each === "string" && isScopeToken(each));
  if (isScopeToken(token) && isList) return;
  throw new TypeError(`The 'impliedScopes' of '${token}' must be a list of scopes.`);
}
