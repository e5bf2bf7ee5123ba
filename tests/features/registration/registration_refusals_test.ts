import { describe } from "node:test";
import { disable as disableClient } from "../../../src/administration/clients.ts";
import type { Kit } from "../../support/kit.ts";
import { register, sendJson } from "../../support/registration.ts";
import { type Case, type Cases, itLooksTheSame, outsideLabs } from "../../support/same_refusals.ts";

/** Reads a registration. */
function manage(
  id: (registered: string) => string,
  act: (kit: Kit, uri: string, token: string) => unknown,
): Case {
  return async (kit) => {
    const { body } = await register(kit);
    const { client_id, registration_access_token: token } = body;
    await act(kit, body.registration_client_uri, token);
    const uri = body.registration_client_uri.replace(client_id, id(client_id));
    return await sendJson(kit, "PUT", uri, {}, token);
  };
}

const registrations: Cases = {
  "registration_access.right 1": manage(() => "who", () => {}),
  "registration_access.right 2": manage(() => "demo-spa", () => {}),
  "registration_access.right 3": manage((id) => id, (kit, uri, token) =>
    kit.server.fetch(
      new Request(uri, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } }),
    )),
  "registration_access.right 4": async (kit) => {
    const { body } = await register(kit);
    return await sendJson(kit, "PUT", body.registration_client_uri, {}, "another");
  },
  "registration_access.right 5": manage(
    (id) => id,
    (kit, uri) => disableClient(kit.server.context, uri.split("/").at(-1) ?? ""),
  ),
};

describe(outsideLabs, () => {
  itLooksTheSame("A registration access token", registrations);
});
