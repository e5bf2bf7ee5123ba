import { type Client, isPublic } from "../model/client.ts";
import { type ClientAuthenticationMethod, isCertificateMethod } from "../model/client_config.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import { counted } from "../util/time/duration.ts";

/** How much of an unknown client_id is shown, in characters. */
const maxShownId = 100;
const maxShownClients = 10;
/** How many names are compared with an unknown one: each comparison takes some microseconds. */
const maxComparedClients = 50;

/** Why a client with a different secret is not authenticated. */
export const wrongSecret = "wrong secret";

/** The client that a request names, with what helps its developer. */
export interface NamedClient {
  clientId: string;
  client: Client | undefined;
  /** Why the metadata document at this client_id cannot be used. */
  documentProblem: string | undefined;
  configured: ReadonlyMap<string, unknown>;
}

/** How a client authenticated, and why that failed. */
export interface ClientAuthentication extends NamedClient {
  used: ClientAuthenticationMethod;
  /** The secret or the assertion. */
  proof: string;
  /** Why the client is not authenticated. */
  problem: string | undefined;
}

/**
 * Describes the clients that an unknown client_id may stand for, as far as a sentence holds them.
 */
export function describeKnownClients({ clientId, client, configured }: NamedClient): string {
  if (client) return `a known client, such as '${client.id}'`;
  const ids = [...configured.keys()];
  if (ids.length === 0) return "a registered client, because none is configured";
  const nearest = nearestName(clientId.slice(0, maxShownId), ids.slice(0, maxComparedClients));
  if (nearest !== undefined) return `a known client, such as '${nearest}'`;
  const rest = ids.length > maxShownClients ? ", …" : "";
  return `one of ${ids.slice(0, maxShownClients).join(", ")}${rest}`;
}

/** Describes a client_id, which may be the URL of a document. */
export function describeClientId({ clientId, documentProblem }: NamedClient): string {
  const shown = `'${clientId.slice(0, maxShownId)}'`;
  if (documentProblem === undefined) return shown;
  return `${shown}, whose metadata document cannot be used: ${documentProblem}`;
}

/** Describes how a client should have authenticated. */
export function describeExpected(facts: ClientAuthentication): string {
  const { client, used, problem } = facts;
  if (!client) return describeKnownClients(facts);
  if (problem === undefined || !client.authentication.includes(used)) {
    return client.authentication.map(describeMethod).join(" or ");
  }
  if (isCertificateMethod(used)) return `the certificate of the client '${client.id}'`;
  const proof = isSecretSent(used) ? "the secret" : "a valid assertion";
  return `${proof} of the client '${client.id}'`;
}

/** Describes how a client authenticated. */
export function describeAuthentication(facts: ClientAuthentication): string {
  const { client, used, proof, problem } = facts;
  if (!client) return `the client_id ${describeClientId(facts)}`;
  const method = describeMethod(used);
  if (problem === undefined || !client.authentication.includes(used)) return method;
  const length = problem === wrongSecret ? ` of ${counted(proof.length, "character")}` : "";
  return `${method}, ${problem}${length}`;
}

/** Returns how a known client can authenticate instead. */
export function adviceAboutCredentials(
  client: Client,
  { used, problem }: Pick<ClientAuthentication, "used" | "problem">,
): string {
  if (!client.authentication.includes(used)) {
    if (isPublic(client)) return "Send the client_id alone: this client is public.";
    const credential = used === "none" ? "Authenticate the client" : "Use another method";
    return `${credential}: it is registered for ${client.authentication.join(" or ")}.`;
  }
  if (isCertificateMethod(used)) {
    return "Send the request over TLS, with the certificate that the client is registered for.";
  }
  if (!isSecretSent(used)) return "Sign a new client_assertion that meets what is expected.";
  return problem === wrongSecret
    ? "Send the secret of this client, unchanged. It may be that of another client or server."
    : "Form-encode the id and the secret before joining them with a colon.";
}

function isSecretSent(method: ClientAuthenticationMethod): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}

export function describeMethod(method: ClientAuthenticationMethod): string {
  return method === "none" ? "no client authentication" : method;
}
