import type { Client } from "../../../model/client.ts";
import { redirectUriMatches } from "../../../protocol/redirect_uri.ts";
import { isSha256 } from "../../../util/hash.ts";
import type { CheckFacts } from "./check_facts.ts";
import { type FlowCheck, missing, serverCheck } from "./flow_check.ts";

/** Returns the checks of an authorization request, in the order in which the server makes them. */
export function authorizationChecks(facts: CheckFacts): FlowCheck[] {
  const { exchange: { request }, client, authorizationRequest: parameters } = facts;
  const known = clientIsKnown(facts);
  // The parameters of a pushed request were checked when it was pushed.
  if (!client || request.query.has("request_uri")) return [known];
  return [
    known,
    redirectUriIsRegistered(client, parameters),
    responseTypeIsCode(parameters),
    ...hasChallenge(client, parameters),
    scopeIsAllowed(client, parameters),
  ];
}

/** Checks that the server knows the client. */
export function clientIsKnown({ exchange: { request }, client }: CheckFacts): FlowCheck {
  return serverCheck({
    title: "The client is known",
    expected: "the id of a client of this server",
    came: request.client ?? missing,
    isPassed: client !== undefined,
    see: "OAuth 2.1, section 2.2",
  });
}

function redirectUriIsRegistered(client: Client, parameters: URLSearchParams): FlowCheck {
  const requested = parameters.get("redirect_uri");
  const registered = client.redirectUris;
  const native = client.native;
  return serverCheck({
    title: "The redirect URI is registered",
    expected: registered.length === 1 ? registered.join() : `one of: ${registered.join("  ")}`,
    came: requested ?? missing,
    isPassed: requested !== null &&
      registered.some((each) => redirectUriMatches(each, requested, native)),
    see: "OAuth 2.1, section 2.3.1",
  });
}

function responseTypeIsCode(parameters: URLSearchParams): FlowCheck {
  const type = parameters.get("response_type");
  return serverCheck({
    title: "The client asks for a code",
    expected: "response_type=code",
    came: type === null ? missing : `response_type=${type}`,
    isPassed: type?.split(" ").includes("code") ?? false,
    see: "OAuth 2.1, section 4.1.1",
  });
}

function hasChallenge(client: Client, parameters: URLSearchParams): FlowCheck[] {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === null && client.pkce === "optional") return [];
  const came = challenge === null
    ? "no code_challenge"
    : `${method ?? "no method"}, ${challenge.length} characters`;
  return [serverCheck({
    title: "The request has a PKCE challenge",
    expected: "S256, 43 characters of base64url",
    came,
    isPassed: challenge !== null && method === "S256" && isSha256(challenge),
    see: "RFC 7636, section 4.3",
  })];
}

function scopeIsAllowed(client: Client, parameters: URLSearchParams): FlowCheck {
  const requested = parameters.get("scope")?.split(" ").filter(Boolean) ?? [];
  const excess = requested.filter((token) => !client.scopes.includes(token));
  return serverCheck({
    title: "The client may ask for this scope",
    expected: `only: ${client.scopes.join(" ")}`,
    came: requested.length > 0 ? requested.join(" ") : "no scope, which means the default one",
    isPassed: excess.length === 0,
    see: "OAuth 2.1, section 1.4.1",
  });
}
