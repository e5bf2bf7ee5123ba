import type { Config } from "../../../server/features.ts";
import { isInteractiveGrant } from "../../../server/protocol/grant_types.ts";
import type { LabFeature } from "../../feature.ts";
import { unless } from "../../layers/layer.ts";
import { admitSecretMethod, secretMethodOf } from "./any_secret_method.ts";
import { type AnySecretMethodSetting, openToRegistration } from "./config.ts";

/** Clients under test may register, and ask for everything. */
export const openRegistration: LabFeature = {
  name: "registration",
  serverSettings: openToRegistration,
  leniency: {
    names: ({ registration }) =>
      openServiceGrants(registration).map((type) => `registration.allow.grantTypes: ${type}`),
  },
  open({ parts, lab }) {
    /** The clients that sent their secret in a way that they did not register. */
    const admitted = new Set<string>();
    const isStrict = () => parts().config<AnySecretMethodSetting>().anySecretMethod === false;
    return {
      layers: {
        admit: unless(
          ({ request }) => isStrict() || secretMethodOf(request) === undefined,
          async ({ request }, next) => {
            const client = await admitSecretMethod(lab().context, request);
            if (client !== undefined) admitted.add(client);
            return await next();
          },
        ),
      },
      remarks: () => ({
        leniencies: [...admitted].map((client) => `client ${client}: anySecretMethod`),
      }),
      state: { clear: () => admitted.clear() },
    };
  },
};

/** Returns the grants without a user that anyone can register for. */
function openServiceGrants(registration: Config["registration"]): string[] {
  if (registration === undefined || registration === "open") return [];
  if (registration.initialAccessToken !== undefined) return [];
  return (registration.allow?.grantTypes ?? []).filter((type) => !isInteractiveGrant(type));
}
