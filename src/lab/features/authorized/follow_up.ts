import { authenticationOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { EndpointField } from "../../../server/model/server_metadata.ts";
import { counted } from "../../../server/util/time/duration.ts";
import {
  roleProblem,
  type RoleRequest,
  roleRequest,
  tokenBearingRequest,
} from "../../client_role/role_request.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findEndpointUrl, listProviderApis } from "../../dialect/lab_endpoints.ts";
import { tokenKindsIn } from "../../flows/flow_credentials.ts";
import type { Exchange, WireRequest } from "../../recording/exchange.ts";
import type { ReceivedCallback } from "./received_callback.ts";

/** A kind of request that can follow an authorization response. */
interface FollowUpKind {
  name: "exchange" | "userinfo" | "refresh" | "introspect" | "revoke";
  endpoint: EndpointField;
  title: string;
  button: string;
  about: string;
  /** Why it cannot be sent yet. */
  missing: string;
  /** Returns its parameters, once its token is there. */
  members(received: ReceivedCallback): Record<string, string> | undefined;
  /** Says in a sentence what a response brought. */
  resultOf(body: Record<string, unknown>): string | undefined;
}

export interface FollowUp extends FollowUpKind {
  sender: ClientConfig | undefined;
  /** Undefined while the token for it is missing. */
  request: RoleRequest | undefined;
  /** The latest such exchange of the flow, sent by hand or by a program. */
  latest: Exchange | undefined;
}

/** They are in the order in which they make sense. */
const kinds: readonly FollowUpKind[] = [
  {
    name: "exchange",
    endpoint: "token_endpoint",
    title: "Exchange it here",
    button: "Exchange the code",
    about: "Sends the token request from this lab, with the code and its verifier.",
    missing: "",
    members: ({ callback: { code }, started }) =>
      started && {
        grant_type: "authorization_code",
        code,
        redirect_uri: started.redirectUri,
        ...started.codeVerifier !== undefined && { code_verifier: started.codeVerifier },
      },
    resultOf: issuedTokens,
  },
  {
    name: "userinfo",
    endpoint: "userinfo_endpoint",
    title: "Userinfo",
    button: "Call userinfo",
    about: "Presents the access token, as an API call does. The scope decides what comes back.",
    missing: "It needs an access token: exchange the code first.",
    members: ({ played }) => tokenMember("access_token", played?.accessToken),
    resultOf: (body) =>
      typeof body.sub === "string"
        ? `${counted(Object.keys(body).length, "claim")} about ${body.sub}`
        : undefined,
  },
  {
    name: "refresh",
    endpoint: "token_endpoint",
    title: "Refresh",
    button: "Refresh",
    about: "Redeems the newest refresh token. It works once; its successor is in the response.",
    missing: "It needs a refresh token, which the code may bring.",
    members: ({ played }) => {
      const token = tokenMember("refresh_token", played?.refreshToken);
      return token && { grant_type: "refresh_token", ...token };
    },
    resultOf: issuedTokens,
  },
  {
    name: "introspect",
    endpoint: "introspection_endpoint",
    title: "Introspection",
    button: "Introspect",
    about: "Asks whether the access token is active, as an API does.",
    missing: "It needs an access token, and a client with a secret that may ask.",
    members: ({ played }) => tokenMember("token", played?.accessToken),
    resultOf: ({ active }) => `The access token is ${active === true ? "" : "not "}active`,
  },
  {
    name: "revoke",
    endpoint: "revocation_endpoint",
    title: "Revocation",
    button: "Revoke",
    about: "Revokes the refresh token, and with it everything that was issued in this flow.",
    missing: "It needs a token: exchange the code first.",
    members: ({ played }) => tokenMember("token", played?.refreshToken ?? played?.accessToken),
    resultOf: () => "Revoked",
  },
];

/** Returns what the client can send next, if this lab may act as it and has the endpoint. */
export async function followUpsOf(lab: CoreLab, received: ReceivedCallback): Promise<FollowUp[]> {
  const { callback: { hasError, code }, started, client, played } = received;
  if (hasError || !started || !client || roleProblem(client) !== undefined) return [];
  const found = kinds.map(async (kind) => {
    const { name, endpoint } = kind;
    const api = name === "userinfo" ? listProviderApis(lab)[0]?.url : undefined;
    const url = findEndpointUrl(lab, endpoint) ?? api;
    if (url === undefined) return [];
    const sender = name === "introspect" ? introspectorFor(client, lab.clients.list()) : client;
    const members = sender && kind.members(received);
    const latest = played?.exchanges.findLast((each) => isOfKind(name, each.request, code));
    const followUp = { ...kind, sender, request: undefined, latest };
    if (!sender || !members) return [followUp];
    const { usesDpop } = started;
    const { access_token: accessToken } = members;
    // A proof binds what is issued, and shows who presents a token. The others do neither.
    const isBound = usesDpop && endpoint === "token_endpoint";
    const request = accessToken === undefined
      ? await roleRequest(lab, sender, { endpoint, members, usesDpop: isBound })
      : await tokenBearingRequest(lab.context, url, { accessToken, usesDpop });
    return [{ ...followUp, request }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the client that may introspect the tokens of a client: itself, unless it is public (RFC
 * 7662, section 2.1), or one that may see all.
 */
function introspectorFor(
  client: ClientConfig,
  clients: readonly ClientConfig[],
): ClientConfig | undefined {
  const candidates = [client, ...clients.filter(({ introspect }) => introspect === "any")];
  return candidates.find((each) =>
    !authenticationOf(each).includes("none") && roleProblem(each) === undefined
  );
}

function isOfKind(name: FollowUp["name"], { endpoint, form }: WireRequest, code: string): boolean {
  if (name === "exchange") return endpoint === "token" && form.get("code") === code;
  if (name === "refresh") return endpoint === "token" && form.has("refresh_token");
  return endpoint === name;
}

function tokenMember(name: string, token: string | undefined): Record<string, string> | undefined {
  return token === undefined ? undefined : { [name]: token };
}

function issuedTokens(body: Record<string, unknown>): string | undefined {
  const issued = tokenKindsIn(body).map((kind) => kind.replace(" token", ""));
  return issued.length === 0 ? undefined : `Tokens issued: ${issued.join(", ")}`;
}
