import type { Client } from "../model/client.ts";
import { readResponseMode, type ResponseTarget } from "./authorization_response.ts";
import { checkRepeats, type FormParameters, required } from "./form_parameters.ts";
import { errorFactory } from "./oauth_error.ts";
import { checkLengths } from "./parameter_lengths.ts";
import { redirectUriMatches } from "./redirect_uri.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 3.1.2.1");

/** The parameters that decide where an answer goes, or hold what does: none of them may be in doubt. */
const targetParameters = ["client_id", "redirect_uri", "state", "request", "request_uri"];

/** Which client a request names; until its redirect URI is known as well, every refusal is a page (OAuth 2.1, section 4.1.2.1). */
export function readClientId(parameters: FormParameters): string {
  checkRepeats(parameters, targetParameters);
  return required(parameters, "client_id", "OAuth 2.1, section 4.1.1");
}

/** Decides where the answer may go. From here on, errors may travel there too. */
export function readResponseTarget(parameters: FormParameters, client: Client): ResponseTarget {
  checkLengths(parameters, ["redirect_uri", "state"]);
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined) {
    throw invalidRequest("The parameter 'redirect_uri' is missing; it is always needed here.");
  }
  if (
    !client.redirectUris.some((registered) =>
      redirectUriMatches(registered, redirectUri, client.native)
    )
  ) {
    throw invalidRequest(
      "The redirect_uri is not one that this client has registered, character by character.",
      {
        see: "OAuth 2.1, section 4.1.1",
        hint: `It was '${redirectUri}'; registered are: ${client.redirectUris.join(" ")}.`,
      },
    );
  }
  const mode = readResponseMode(parameters.get("response_mode"));
  const state = parameters.get("state");
  if (state !== undefined && hasControlCharacters(state)) {
    throw invalidRequest("The state has control characters in it.", {
      see: "OAuth 2.1, section 12.5",
    });
  }
  return {
    redirectUri,
    mode: mode && client.responseModes.includes(mode.carrier) ? mode.carrier : "query",
    state,
    trusted: client.trusted,
    promptsNone: parameters.get("prompt")?.split(" ").includes("none") ?? false,
    ...mode?.isSigned &&
      { signedFor: { audience: client.id, alg: client.authorizationResponseAlg } },
  };
}

/** Browsers change line ends in forms, so such a state could not be given back as it was. */
function hasControlCharacters(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\x7f");
}
