import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { type ConsentTools, withdrawConsent } from "./list_consents.ts";

export const consentInterface: FeatureInterface<ConsentTools> = {
  operations: [
    operation("GET /consents", {
      name: "list-consents",
      summary: "Lists what users consented to, so that they are not asked again.",
      agents: "Use it if a consent page does not come, or comes again.",
      query: { user: "The name of a user." },
      kind: "list",
      returns: "ListedConsent[]",
      page: {
        title: "Consents",
        columns: { User: "user", Client: "client", Scope: "scope", Since: "since" },
        empty: "A consent begins with the page that asks a user.",
      },
      run: (lab, { query }) => lab.consents({ user: query.get("user") ?? undefined }),
    }),
    operation("DELETE /consents/:id", {
      name: "withdraw-consent",
      summary: "Withdraws a consent: its tokens end, and the client has to ask again.",
      agents: "Use it to see what the application does when a user withdraws access.",
      example: { segment: "alice:demo-web" },
      run: (lab, { segment }) => withdrawConsent(lab.context, segment),
    }),
  ],
};
