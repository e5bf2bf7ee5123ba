import type { Config } from "../../server/features.ts";
import { openIdScopes } from "../../server/model/claims.ts";
import type { AuthorizationDetailType } from "../../server/protocol/authorization_detail_types.ts";

export const demoScopes: NonNullable<Config["scopes"]> = {
  ...openIdScopes,
  groups: { text: "See your groups", claims: ["groups"] },
  read: "Read your things",
  write: "Change your things",
};

/** Requests that a scope cannot express: how much, to whom, which one. */
export const demoDetails: Record<string, AuthorizationDetailType> = {
  payment_initiation: {
    meaning: "Make a payment",
    members: {
      "actions?": "texts",
      instructedAmount: { currency: "text", amount: "text" },
      creditorName: "text",
      "creditorAccount?": { iban: "text" },
      "remittanceInformation?": "text",
    },
  },
  file_access: {
    meaning: "Use your files",
    members: { actions: "texts", path: "text", "recursive?": "flag", "maxBytes?": "number" },
  },
};
