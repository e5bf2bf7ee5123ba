import type { Config } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { forever } from "../../../server/issuer/records/table.ts";
import type { ClientAuthenticationMethod } from "../../../server/model/client_config.ts";
import { isInteractiveGrant } from "../../../server/protocol/grant_types.ts";
import type { LabFeature } from "../../feature.ts";
import { unless } from "../../layers/layer.ts";
import { isScheme } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { type AnySecretMethodSetting, openToRegistration } from "./config.ts";

const secretMethods: readonly ClientAuthenticationMethod[] = [
  "client_secret_basic",
  "client_secret_post",
];

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

/** Returns how a request sends the secret of its client, if it has one. */
function secretMethodOf(
  { headers: { authorization = "" }, form }: WireRequest,
): ClientAuthenticationMethod | undefined {
  if (isScheme(authorization, "Basic")) return "client_secret_basic";
  return form.has("client_secret") ? "client_secret_post" : undefined;
}

/**
 * Lets a client that registered for one of these methods use both. Returns the client if that made
 * a difference.
 */
async function admitSecretMethod(
  { records: { clients } }: Context,
  request: WireRequest,
): Promise<string | undefined> {
  const method = secretMethodOf(request);
  const client = request.client === undefined ? undefined : await clients.find(request.client);
  if (!client?.registration || method === undefined) return undefined;
  const { authentication } = client;
  const hasOther = authentication.some((registered) => secretMethods.includes(registered));
  if (!hasOther || authentication.includes(method)) return undefined;
  const wider = { ...client, authentication: [...authentication, method] };
  await clients.put(client.id, wider, forever);
  return client.id;
}
