import type { Claims } from "../../../server/model/claims.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import type { WorkloadSource } from "./source_paths.ts";
import facts from "./sources.json" with { type: "json" };

/** A response that is no token. A body that is a text is a page, any other is JSON. */
export interface SourceError {
  status: number;
  body: unknown;
}

/**
 * What the documentation of a vendor says, which `see` names. A text may have `{name}` in place of
 * a value.
 */
interface SourceFacts {
  see: readonly string[];
  method: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  issuerPath: string;
  keysPath: string;
  typ?: string;
  /** Whether its tokens have no `jti`. */
  reusable: boolean;
  /** The claim by which the lab knows the workload. */
  identity: string;
  environment: Readonly<Record<string, string>>;
  claims: Readonly<Claims>;
  /** The values of a metadata service, by their paths. */
  entries?: Readonly<Record<string, string>>;
  /** What a client must ask again after. A body that is a text is no JSON. */
  failures: Readonly<Record<string, SourceError | undefined>>;
  /** What the JSON of each refusal begins with. */
  refusalBase?: Readonly<Claims>;
  refusals: Readonly<Record<string, SourceError | undefined>>;
}

export const sources: Readonly<Record<WorkloadSource, SourceFacts>> = facts;

export interface SourceCall {
  request: WireRequest;
  /** What the source says about the workload. */
  claims: Claims;
  environment: Readonly<Record<string, string>>;
  /** In seconds. */
  now: number;
  randomText(): string;
  /** Signs a token that lives for so many seconds. */
  sign(claims: Claims, lifetime: number): Promise<{ jwt: string; exp: number }>;
  /** Refuses the request as the vendor does, unless a condition holds. */
  must(holds: boolean, refusal: string, values?: Claims): void;
}

/** Whether a header has a bearer token. The name of its scheme is case-insensitive (RFC 9110). */
export function isBearer(authorization: string | undefined, token: string | undefined): boolean {
  const [, presented] = /^bearer (.*)$/i.exec(authorization ?? "") ?? [];
  return presented !== undefined && presented === token;
}

/** Replaces `{name}` in all texts of a value. */
export function fill<T>(template: T, values: Readonly<Claims>): T {
  const valueOf = (name: string) => JSON.stringify(String(values[name])).slice(1, -1);
  const text = JSON.stringify(template).replace(/\{(\w+)\}/g, (_, name) => valueOf(name));
  return JSON.parse(text);
}
