import type { Client } from "../protocol/client.ts";
import type { ResourceRule } from "../protocol/resource.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import type { Pages } from "../pages/pages.ts";
import type { Lifetimes } from "./config.ts";
import type { Policies } from "./policies.ts";
import type { User } from "./rows.ts";

/** A configuration with every default filled in and every rule checked. */
export interface Settings {
  issuer: string;
  /** The path below which everything lives. */
  base: string;
  /** Whether browsers reach the server by https. */
  secure: boolean;
  scopes: Record<string, string>;
  resources: ResourceRule;
  defaultResource: string;
  /** Signs access tokens, and ID tokens where the client names no other. */
  alg: SigningAlgorithm;
  /** The default one first; RS256 is always there (OpenID Connect Discovery, section 3). */
  idTokenAlgs: SigningAlgorithm[];
  lifetimes: Lifetimes;
  refreshReuseGrace: number;
  guessesPerMinute: number;
  notice?: string;
  secret?: string;
  policies: Policies;
  pages: Pages;
  clients: ReadonlyMap<string, () => Promise<Client>>;
  users: ReadonlyMap<string, () => Promise<User>>;
}
