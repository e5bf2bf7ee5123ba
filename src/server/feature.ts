import type { FeatureConfig } from "./config/feature_config.ts";
import type { Settings } from "./config/settings.ts";
import type { Route } from "./endpoints/route.ts";
import type { Grant } from "./grants/grant.ts";
import type {
  ActiveFeatures,
  ClientSource,
  ConnectionProof,
  Envelope,
  LoggedDetailsOf,
  MaintenanceTask,
  PresentedParameter,
  RequestAt,
  SessionEnd,
  SignInName,
  VerifyPassword,
} from "./issuer/active_features.ts";
import type { EndpointUrls } from "./issuer/describe_server.ts";
import type { Cipher } from "./issuer/keys/cipher.ts";

/**
 * An optional specification with its endpoints, grants, pages or tables. Each member is a list or a
 * function that the core reads at one place. What binds or requires is not among them: the core
 * refuses what no feature can prove.
 */
export interface Feature {
  readonly name: string;
  /** The features that it cannot do without. */
  readonly needs?: readonly Feature[];
  /** Its settings. Without the feature, the configuration has no such setting. */
  readonly config?: FeatureConfig;
  readonly grants?: readonly Grant[];
  /** Returns how to complete a polled request, or undefined if another feature handles it. */
  readonly completionOf?: ActiveFeatures["completionOf"];
  /** Lists the requests that wait for a user, and reach no browser by themselves. */
  readonly waitingFor?: ActiveFeatures["waitingFor"];
  /** Parameters whose values this feature issues: they are secrets. */
  readonly presented?: readonly PresentedParameter[];
  /** Other parameters, and members of JSON, with secrets: no URI may have them, and no recording. */
  readonly secrets?: readonly string[];
  /** Its further parameters. Messages repeat no other name: it may be a secret in a wrong place. */
  readonly parameters?: readonly string[];
  /** Where clients come from that describe themselves. */
  readonly clientSource?: ClientSource;
  /** What it does for clients when a session ends. */
  readonly sessionEnd?: SessionEnd;
  /** Protects keys and secrets in the store. Without it, the core reads no encrypted one. */
  readonly cipher?: (settings: Settings) => Cipher | undefined;
  /** Encrypts what clients get, and decrypts what they send. */
  readonly envelope?: Envelope;
  /** Reads the signed request that the `request_uri` of a client refers to. */
  readonly requestAt?: RequestAt;
  /** Reads what the connection of a request proves about its sender. */
  readonly connectionProof?: (settings: Settings) => ConnectionProof | undefined;
  /** Returns how it finds the user whom a typed text means. */
  readonly signInName?: (settings: Settings) => SignInName | undefined;
  /** Verifies the passwords that it can, instead of the password policy. */
  readonly verifyPassword?: VerifyPassword;
  /** Describes for logs why a request was refused. */
  readonly loggedDetails?: LoggedDetailsOf;
  /** What it repeats in the background. */
  readonly tasks?: readonly MaintenanceTask[];
  /** Its endpoints at paths that no setting changes, so no endpoint can be put there. */
  readonly fixedRoutes?: readonly Route[];
  /** Its endpoints. The metadata names those that a member of it advertises. */
  readonly routes?: (settings: Settings) => readonly Route[];
  /** Further members of the metadata. They follow from what is known before the first request. */
  readonly metadata?: (
    settings: Settings,
    wrapper: { hostsDocuments: boolean },
    endpoints: EndpointUrls,
  ) => Readonly<Record<string, unknown>>;
}
