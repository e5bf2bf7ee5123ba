import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { register, sendJson } from "../../support/registration.ts";

export const registrationFixtures: FeatureFixtures = {
  name: "registration",
  config: { registration: { open: true } },
  paths: { register: "/oidc/register/" },
  endpointFields: { registration_endpoint: "register" },
  suiteClients: ["registered"],
  flows: {
    async "a registration that is read and changed"(kit) {
      const method = { token_endpoint_auth_method: "client_secret_basic" };
      const { body } = await register(kit, method);
      const token = body.registration_access_token;
      const changes = { ...body, client_name: "Changed", registration_access_token: undefined };
      for (
        const name of ["registration_client_uri", "client_secret_expires_at", "client_id_issued_at"]
      ) {
        delete (changes as Record<string, unknown>)[name];
      }
      return (await sendJson(kit, "PUT", body.registration_client_uri, changes, token)).status;
    },
  },
  credentials: ["registration_access_token", "client_secret"],
};
