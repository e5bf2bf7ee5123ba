import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { type LabPageRoute, seePreviousPage } from "../../pages/page/lab_page.ts";
import { LabError } from "../../util/lab_error.ts";
import { offerRegistration, registrationPath } from "./offer_registration.tsx";
import { findRefusedUri } from "./refused_uri.ts";

/** The button next to a refusal, and its form. */
export const redirectUriInterface: FeatureInterface = {
  offerFix: offerRegistration,
  pages: {
    below: [registrationPath.slice(1)],
    load: () => Promise.resolve([registration]),
  },
};

/** The form that adds the redirect URI of a refused request to its client. */
const registration: LabPageRoute = {
  method: "POST",
  path: registrationPath,
  handle(lab, call) {
    const request = Number(call.form.get("request"));
    const refused = findRefusedUri(lab, lab.exchanges().filter(({ id }) => id === request));
    // Each lab counts its requests from one, and a page may be of a lab that ended.
    const isShown = refused?.shown === call.form.get("uri") &&
      refused?.client === call.form.get("client");
    if (!refused || !isShown) throw new LabError("The lab no longer knows the refused request.");
    const client = lab.clients.get(refused.client);
    const redirectUris = [...new Set([...client.redirectUris ?? [], refused.uri])];
    lab.clients.put({ ...client, redirectUris });
    return seePreviousPage(call);
  },
};
