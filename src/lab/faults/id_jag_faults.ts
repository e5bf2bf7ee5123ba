import { idJagTokenType } from "../../server/protocol/id_jag.ts";
import { jsonOf } from "../recording/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import {
  claims,
  commonForgeries,
  type CommonForgery,
  type JwtChange,
  withoutClaim,
} from "./jwt_forgery.ts";
import { forgeryFault, type JwtPlace, jwtPlaces } from "./jwt_places.ts";
import { places } from "./places.ts";

/** The name of a fault in an identity assertion for another server (ID-JAG). */
export type IdJagFaultName = `id_jag.${
  | CommonForgery
  | "wrong_typ"
  | "wrong_client"
  | "wrong_resource"
  | "without_jti"
  | "refused"}`;

/** What can be wrong with an ID-JAG, beside what can be wrong with any JWT. */
const forgeries: Record<string, JwtChange> = {
  ...commonForgeries,
  wrong_typ: {
    what: "has the type of other JWTs in its header",
    change: ({ header, claims }) => ({ header: { ...header, typ: "JWT" }, claims }),
  },
  wrong_client: {
    what: "was issued to a different client of the server that it is for",
    change: claims(() => ({ client_id: "someone-else" })),
  },
  wrong_resource: {
    what: "is for a different resource",
    change: claims(() => ({ resource: "https://other.example/mcp" })),
  },
  without_jti: withoutClaim("jti"),
};

/** An ID-JAG is the token of a token exchange, in the member of access tokens (RFC 8693, 2.2.1). */
const idJagPlace: JwtPlace = {
  ...jwtPlaces.access_token,
  find: (response, issuer) =>
    jsonOf(response)?.issued_token_type === idJagTokenType
      ? jwtPlaces.access_token.find(response, issuer)
      : undefined,
};

/** The faults in an ID-JAG, each of which makes the server that it is for refuse it, by name. */
export function idJagFaults(): Record<IdJagFaultName, FaultKind> {
  const forged = Object.entries(forgeries).map(([word, forgery]): [string, FaultKind] => [
    `id_jag.${word}`,
    forgeryFault(idJagPlace, `The ID-JAG ${forgery.what}.`, forgery),
  ]);
  const refused: FaultKind = {
    summary: "The company's server refuses to issue an ID-JAG.",
    appliesTo: (request) =>
      places.token(request) && request.form.get("requested_token_type") === idJagTokenType,
    respond: async () =>
      failureResponse(400, "access_denied", "The policy does not let this user in."),
  };
  return { ...Object.fromEntries(forged), "id_jag.refused": refused } as Record<
    IdJagFaultName,
    FaultKind
  >;
}
