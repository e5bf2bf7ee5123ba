import { idJagTokenType } from "../../../server/protocol/grant_types.ts";
import { jsonOf } from "../../recording/exchange.ts";
import { accessToken, type ResponsePart } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import type { FaultKind } from "./fault.ts";
import { failing, forging } from "./fault_kinds.ts";
import { commonForgeries, type CommonForgery, setClaims, withoutClaim } from "./jwt_forgery.ts";

/** The name of a fault in an identity assertion for another server (ID-JAG). */
export type IdJagFaultName = `id_jag.${
  | CommonForgery
  | "wrong_typ"
  | "wrong_client"
  | "wrong_resource"
  | "without_jti"
  | "refused"}`;

/** An ID-JAG is the token of a token exchange, in the member of access tokens (RFC 8693, 2.2.1). */
const idJag: ResponsePart<string> = {
  ...accessToken,
  read: (response, server) =>
    jsonOf(response)?.issued_token_type === idJagTokenType
      ? accessToken.read(response, server)
      : undefined,
};

/** The faults in an ID-JAG, each of which makes the server that it is for refuse it, by name. */
export const idJagFaults: Record<IdJagFaultName, FaultKind> = {
  ...forging("id_jag", idJag, "ID-JAG", {
    ...commonForgeries,
    wrong_typ: {
      what: "has the type of other JWTs in its header",
      change: ({ header, claims }) => ({ header: { ...header, typ: "JWT" }, claims }),
    },
    wrong_client: {
      what: "was issued to a different client of the server that it is for",
      change: setClaims(() => ({ client_id: "someone-else" })),
    },
    wrong_resource: {
      what: "is for a different resource",
      change: setClaims(() => ({ resource: "https://other.example/mcp" })),
    },
    without_jti: withoutClaim("jti"),
  }),
  "id_jag.refused": failing(
    (request) =>
      places.token(request) && request.form.get("requested_token_type") === idJagTokenType,
    "The company's server refuses to issue an ID-JAG.",
    400,
    "access_denied",
    "The policy does not let this user in.",
  ),
};
