import { readDatabaseUrl } from "../../server/store/database_url.ts";

/** How to name a store on the command line. */
export const storeForms = "memory, sqlite:PATH, postgres://HOST/DATABASE or redis://HOST:PORT";

/** Returns why the text that names a store is invalid, or undefined. */
export function storeProblem(store: string): string | undefined {
  const url = readDatabaseUrl(store);
  if (url) return url.problem;
  const isValid = store === "memory" || sqlitePath(store);
  return isValid ? undefined : `must be ${storeForms}`;
}

/** Returns the path in sqlite:PATH. */
export function sqlitePath(store: string): string | undefined {
  const scheme = "sqlite:";
  return store.startsWith(scheme) ? store.slice(scheme.length) || undefined : undefined;
}
