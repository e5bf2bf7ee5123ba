import type { ClientConfig, Config } from "../../src/server/features.ts";
import type { Context } from "../../src/server/issuer/context.ts";
import type { TextLoaders } from "../../src/server/pages/languages/languages.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Browser, Page, UserActions } from "./browser.ts";
import type { Fields, FlowKit, ReadResponse } from "./flow_kit.ts";
import type { Kit } from "./kit.ts";
import type { Tokens } from "./wire.ts";

/** What the tests of the whole server need of one feature. */
export interface FeatureFixtures {
  name: string;
  /** The texts of its pages, in every language. */
  texts?: TextLoaders<object>;
  /** The endpoints at which clients authenticate: `"introspect"` is `/oauth2/introspect`. */
  clientEndpoints?: readonly string[];
  /** The paths to which browsers post forms. */
  formPaths?: readonly string[];
  /** The same, where only users who are signed in see the form. */
  signedInFormPaths?: readonly string[];
  /** The paths of its pages that need no other page before. */
  frontPaths?: readonly string[];
  /** The settings of its paths, each with another path than the default. */
  paths?: Readonly<Record<string, string>>;
  /** The members of metadata that name its endpoints, with the settings of their paths. */
  endpointFields?: Readonly<Record<string, string>>;
  /** The grants that a client may have without further settings. */
  grantTypes?: readonly string[];
  /** Gets a token by each of its grants. */
  grants?: Readonly<Record<string, (kit: Kit) => Promise<unknown>>>;
  /** Settings without which it is switched off. */
  config?: Partial<Config>;
  /** Clients for its flows. */
  clients?: readonly ClientConfig[];
  /** Clients that are not the ones of its flows. */
  otherClients?: readonly ClientConfig[];
  /** How the client of the conformance suites may become known, beside the configuration. */
  suiteClients?: ReadonlyArray<"registered">;
  /** Flows. Each returns the status of its last response. */
  flows?: Readonly<Record<string, (kit: FlowKit, password: string) => Promise<number>>>;
  /** Flows of a user of the store, each likewise. */
  storedUserFlows?: Readonly<Record<string, (kit: Kit) => Promise<number>>>;
  /** Requests with the tokens of a user, each with a call of the store that it depends on. */
  storeCalls?: Readonly<Record<string, StoreCallFixture>>;
  /** Requests that present what a code led to, and are refused or have no effect. */
  presentedCredentials?: Readonly<Record<string, (kit: Kit, code: string) => Promise<unknown>>>;
  /** Kinds of credentials that its flows have. */
  credentials?: readonly string[];
  /** Pages that users can reach. */
  pages?: Readonly<Record<string, PageFixture>>;
  /** A request of a client that begins a flow, for the server to store. */
  begin?(kit: Kit, fields?: Fields, headers?: Record<string, string>): Promise<ReadResponse>;
  /** A flow that leads users to the consent page, and the client that begins it. */
  consent?: {
    client: ClientConfig;
    open(kit: Kit, browser: Browser, fields: Fields): Promise<Page>;
  };
  /** Gets what the application of a user holds, and nobody else can use; each with what ends it. */
  held?(holder: Holder): Promise<Record<string, HeldCredential>>;
  /** Uses each member of metadata that it adds, and checks that it holds what is promised. */
  metadata?: Readonly<Record<string, (value: string) => Promise<void>>>;
  /** A setting by which a client takes part in the end of sessions, so that it knows the `sid`. */
  takesPart?: Partial<ClientConfig>;
  /** Kinds of tokens that the server sends to clients by itself. */
  sentTokens?: Readonly<Record<string, SentToken>>;
  /** Parameters of its endpoints that hold an ID token. */
  idTokenPlaces?: Readonly<Record<string, (kit: Kit, token: string) => Promise<boolean>>>;
  /** Rows that lack a member without which they would be taken as unrestricted. */
  unreadableRows?: Readonly<Record<string, UnreadableRow>>;
}

/** A call of the store, and a request that depends on it. */
export type StoreCallFixture = readonly [
  method: keyof Store,
  send: (kit: Kit, tokens: Tokens) => Promise<{ status: number }>,
];

/** A page, and how it differs from most. */
export interface PageFixture {
  open(kit: Kit, browser: Browser): Promise<Page>;
  hasScript?: true;
  isOfAuthorization?: true;
  /** Whether the browser of the fixture does not decide about its language. */
  isEnglish?: true;
}

/** A confidential application that a user signed in to. */
export interface Holder {
  kit: Kit;
  browser: Browser;
  user: UserActions;
  scope: string;
  /** How the application authenticates. */
  headers: Record<string, string>;
  /** Where the application receives authorization responses. */
  redirectUri: string;
}

/** A credential that an application holds. */
export interface HeldCredential {
  /** Whether it ends with the application alone, or with the user and the session as well. */
  endsWith: "application" | "user";
  works(): Promise<boolean>;
}

/** A token that the server sends to a client once a session has ended. */
export interface SentToken {
  /** With these settings, a client gets it. */
  client: Partial<ClientConfig>;
  /** Returns it from a request of the server, if it is there. */
  readFrom(body: string): string | undefined;
}

/** A value in a form that this version does not read. */
export interface UnreadableRow {
  table(ctx: Context): object;
  value: unknown;
}
