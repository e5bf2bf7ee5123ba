import { describe } from "node:test";
import { read } from "../../support/kit.ts";
import { logoutUrl } from "../../support/logout.ts";
import { type Case, type Cases, itLooksTheSame, outsideLabs } from "../../support/same_refusals.ts";

function logoutOf(client_id: string): Case {
  return async (kit) => await read(await kit.browser().request(logoutUrl(kit, { client_id })));
}

const logoutClients: Cases = {
  "client.known 1": logoutOf("who"),
  "client.known 2": logoutOf("stored"),
};

describe(outsideLabs, () => itLooksTheSame("A client at /oauth2/logout", logoutClients));
