import { toClient } from "../../../server/config/make_client.ts";
import { trustedOffer } from "../../../server/config/settings.ts";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { forever } from "../../../server/issuer/records/table.ts";
import type { Client } from "../../../server/model/client.ts";
import type {
  ClientAuthenticationMethod,
  PkceRequirement,
} from "../../../server/model/client_config.ts";
import { redirectUriProblem } from "../../../server/protocol/redirect_uri.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import type { ClientDefaults } from "../../lab_server/core_lab_config.ts";
import { basicPair, isScheme } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import {
  acceptsAnyAssertion,
  assertionAuthentication,
  findAssertion,
  type SentAssertion,
  withVerifiableAssertion,
} from "./any_assertion.ts";
import type { AnyClientSetting } from "./config.ts";

/** How many clients a lab admits. Any web page can make it admit some. */
const maxAdmitted = 1000;

/** The methods of a client that may still send a secret: it is not yet a public client. */
const openMethods: ClientAuthenticationMethod[] = [
  "none",
  "client_secret_basic",
  "client_secret_post",
];

/** The settings of every unknown client. */
interface AdmittedSettings {
  pkce: PkceRequirement;
  defaults: ClientDefaults;
}

/** Turns every unknown `client_id` into a client. */
export type ClientAdmission = ReturnType<typeof createClientAdmission>;

/** Creates what makes unknown clients known, with the settings that the lab has at that time. */
export function createClientAdmission(parts: () => LabParts) {
  /** The ids of the clients, the newest last. */
  let admitted = new Set<string>();

  /** Remembers a client, instead of the one that was used least recently if there are too many. */
  async function remember(ctx: Context, id: string): Promise<void> {
    admitted.delete(id);
    admitted.add(id);
    const [oldest] = admitted;
    if (admitted.size <= maxAdmitted || oldest === undefined) return;
    admitted.delete(oldest);
    await ctx.records.clients.delete(oldest);
  }

  /** Returns undefined for a client that the lab knows otherwise. */
  async function admit(
    ctx: Context,
    id: string,
    widen: (client: Client) => Client | Promise<Client>,
  ): Promise<Client | undefined> {
    if (ctx.settings.clients.has(id)) return undefined;
    const stored = await ctx.records.clients.find(id);
    if (stored && !admitted.has(id)) return undefined;
    const current = settingsOf(parts());
    const known = stored ? withSettings(stored, current) : await createClient(ctx, id, current);
    const client = await widen(known);
    await remember(ctx, id);
    if (client !== stored) await ctx.records.clients.put(id, client, forever);
    // A reset, or newer clients, may have forgotten it before its row was written.
    admitted.add(id);
    return client;
  }

  return {
    /** Admits the client that a test names, with a redirect URI if the test has one. */
    async admitNamed(ctx: Context, id: string, redirectUri: string | undefined): Promise<void> {
      await admit(ctx, id, (client) => withRedirectUri(client, redirectUri));
    },
    /**
     * Admits the client of a request, with its secret or assertion and its redirect URI. Returns
     * the request as the server can verify it.
     */
    async admitRequest(
      ctx: Context,
      request: IncomingRequest,
      wireRequest: WireRequest,
    ): Promise<IncomingRequest> {
      const { client: id } = wireRequest;
      if (id === undefined) return request;
      const hasSecretJwt = parts().config().dialect?.clientSecretJwt !== undefined;
      const assertion = findAssertion(wireRequest, id, hasSecretJwt);
      const proof = assertion ?? (hasSecretJwt ? undefined : secretIn(wireRequest));
      const client = await admit(ctx, id, (known) => widenClient(ctx, known, wireRequest, proof));
      return client && assertion && acceptsAnyAssertion(client)
        ? await withVerifiableAssertion(ctx, assertion, request, wireRequest)
        : request;
    },
    clear: () => admitted.clear(),
    capture() {
      const captured = [...admitted];
      return () => void (admitted = new Set(captured));
    },
  };
}

function settingsOf({ config, clientDefaults }: LabParts): AdmittedSettings {
  const { unknownClientPkce: pkce = "required" } = config<AnyClientSetting>();
  return { pkce, defaults: clientDefaults };
}

/** A test may want other settings than those with which a client was admitted. */
function withSettings(client: Client, { pkce, defaults }: AdmittedSettings): Client {
  const { redirectUriAtToken = "required" } = defaults;
  const isSame = client.pkce === pkce && client.redirectUriAtToken === redirectUriAtToken;
  return isSame ? client : { ...client, pkce, redirectUriAtToken };
}

async function createClient(
  ctx: Context,
  id: string,
  { pkce, defaults: { pkce: _, ...defaults } }: AdmittedSettings,
): Promise<Client> {
  const { grantTypes } = ctx.settings;
  const client = await toClient(
    {
      id,
      name: id,
      grantTypes: [...grantTypes],
      ...defaults,
      ...pkce !== "required" && { pkce, authentication: openMethods },
    },
    trustedOffer(ctx.settings),
  );
  return { ...client, native: true, rememberConsent: true };
}

/**
 * Adds a redirect URI that the client uses for the first time, and the first secret or assertion
 * that it sends. From then on, it authenticates in this way only.
 */
async function widenClient(
  ctx: Context,
  client: Client,
  { query, form }: WireRequest,
  proof: SentAssertion | string | undefined,
): Promise<Client> {
  const redirectUri = query.get("redirect_uri") ?? form.get("redirect_uri");
  const wider = withRedirectUri(client, redirectUri);
  const isProved = wider.secrets.length > 0 || acceptsAnyAssertion(wider);
  if (isProved || proof === undefined) return wider;
  if (typeof proof !== "string") return { ...wider, ...assertionAuthentication };
  const { secrets, authentication } = await toClient(
    { id: client.id, secret: proof },
    trustedOffer(ctx.settings),
  );
  return { ...wider, secrets, authentication };
}

function withRedirectUri(client: Client, redirectUri: string | null | undefined): Client {
  const isNew = redirectUri && redirectUriProblem(redirectUri, true) === undefined &&
    !client.redirectUris.includes(redirectUri);
  return isNew ? { ...client, redirectUris: [...client.redirectUris, redirectUri] } : client;
}

function secretIn({ headers: { authorization = "" }, form }: WireRequest): string | undefined {
  return isScheme(authorization, "Basic")
    ? basicPair(authorization)?.secret
    : form.get("client_secret") ?? undefined;
}
