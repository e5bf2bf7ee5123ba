import type { OwnScopes } from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import type { CoreClientConfig, PkceRequirement } from "../model/client_config.ts";
import type { TrustLevel } from "../protocol/client_trust.ts";
import type { ReportProblem } from "./problems.ts";
import type { Profile } from "./profiles/profile.ts";
import type { ObjectSchema } from "./schema.ts";

/** Members that a feature adds to a group of settings, as a server has them. */
export interface FeatureSettings<Resolved extends object = object> {
  readonly schema: ObjectSchema;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Returns the members of this part, from a group whose defaults are filled in. */
  of(group: object): Resolved;
}

/** Returns the settings that features keep in another form. No feature changes those of another. */
export function keptOf<Given>(
  parts: ReadonlyArray<FeatureSettings & { keep?: (given: Given) => object }>,
  given: Given,
): object {
  return Object.assign(
    {},
    ...parts.map(({ schema, keep }) => {
      const kept = keep?.(given) ?? {};
      const foreign = Object.keys(kept).find((name) => !Object.hasOwn(schema.members, name));
      if (foreign === undefined) return kept;
      throw new Error(`A feature keeps '${foreign}', which is not one of its settings.`);
    }),
  );
}

/**
 * What this server offers to the clients of one level of trust. A client is checked against it,
 * made with it and confined to it, and its metadata is read with it.
 */
export interface Offer extends OfferedAccess, OwnScopes {
  level: TrustLevel;
  issuer: string;
  profile: Profile;
  defaultScope?: readonly string[] | undefined;
  grantTypes: readonly string[];
  /** The grants without a user that even untrusted clients may have, if a setting lists them. */
  openGrants: readonly string[];
  /** Whether confidential clients may leave PKCE out whose own settings say nothing else. */
  pkce: PkceRequirement;
  /** The required `aud` of the assertions of a client that registered. */
  assertionAudience: Client["assertionAudience"];
  /** The audiences of access tokens. No client can have one of them as its id. */
  audiences: readonly string[];
  /** The names of the endpoints, as in `paths`. */
  endpoints: readonly string[];
  /** The scopes that open claims about the user, and are for no API. */
  claimScopes: ReadonlySet<string>;
  requirePar: boolean;
  httpRedirectUris: boolean;
  /** Whether untrusted clients may have http redirect URIs below `localhost`, which nobody owns. */
  unownedRedirectUris: boolean;
  addedSettings: readonly AddedClientSettings[];
}

/**
 * Members that a feature adds to each client. The server keeps them as members of the client. A
 * default demands nothing (none, `false` or an empty list): a server without the feature refuses
 * stored clients with any other value.
 */
export interface AddedClientSettings extends FeatureSettings {
  /** Reports contradictions with other settings. */
  readonly check?: (config: CoreClientConfig, offer: Offer, report: ReportProblem) => void;
  /** Those that are URLs which the server or a browser fetches. */
  readonly fetched?: readonly string[];
  /** Returns them in the form in which a client keeps them, if that is another one. */
  readonly keep?: (config: CoreClientConfig) => object;
}

/** What a client may ask for. */
export interface OfferedAccess {
  scopes: readonly string[];
  authorizationDetailsTypes: readonly string[];
  /** The resources that tokens may be for, or every one of the server. */
  resources: readonly string[] | "any";
}

export function offerToConfigured(offer: Offer, { httpClients }: { httpClients: boolean }): Offer {
  return { ...offer, httpRedirectUris: offer.httpRedirectUris || httpClients };
}
