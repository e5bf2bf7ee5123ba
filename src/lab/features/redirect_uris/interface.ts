import type { CoreLab } from "../../core/core_lab.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { LabPageCall } from "../../pages/page/lab_page.ts";
import { formAt } from "../../pages/page/page_routes.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AddedClientInternals } from "./feature.ts";
import { offerRegistration, registrationPath } from "./offer_registration.tsx";
import { findRefusedUri } from "./refused_uri.ts";

/** The button next to a refusal, and its form. */
export const redirectUriInterface: FeatureInterface<AddedClientInternals> = {
  offerFix: offerRegistration,
  pages: {
    below: [registrationPath.slice(1)],
    load: async () => [formAt(registrationPath, register)],
  },
};

/** Adds the redirect URI of a refused request to its client, or the client itself. */
function register(lab: CoreLab & AddedClientInternals, { form }: LabPageCall): void {
  const request = Number(form.get("request"));
  const refused = findRefusedUri(lab, lab.exchanges().filter(({ id }) => id === request));
  // Each lab counts its requests from one, and a page may be of a lab that ended.
  const isShown = refused?.shown === form.get("uri") && refused?.client === form.get("client");
  if (!refused || !isShown) throw new LabError("The lab no longer knows the refused request.");
  const client = lab.clients.list().find(({ id }) => id === refused.client);
  if (client === undefined) return lab.addRefusedClient(refused);
  const redirectUris = [...new Set([...client.redirectUris ?? [], refused.uri])];
  lab.clients.put({ ...client, redirectUris });
}
