import { describe } from "node:test";
import type { Kit } from "../../support/kit.ts";
import {
  type Case,
  type Cases,
  day,
  itLooksTheSame,
  openIn,
  outsideLabs,
} from "../../support/same_refusals.ts";

/** Pushes a request, and opens its request_uri after something has happened. */
function push(act: (kit: Kit, url: string) => unknown, client_id = "demo-spa"): Case {
  return async (kit) => {
    const { request_uri } = (await kit.push({ client_id })).body;
    const url = kit.authorizationUrl({ request_uri });
    await act(kit, url);
    return await openIn(kit, url);
  };
}

const pushedRequests: Cases = {
  "request_uri.usable 1": (kit) =>
    openIn(
      kit,
      kit.authorizationUrl({ request_uri: `urn:ietf:params:oauth:request_uri:${"a".repeat(43)}` }),
    ),
  "request_uri.usable 2": push((kit) => kit.clock.advance(day)),
  "request_uri.usable 3": push((kit) => kit.clock.advance(6 * 60)),
  "request_uri.usable 4": push((kit, url) => kit.browser().authorize(url)),
  "request_uri.usable 5": push(() => {}, "other-spa"),
};

describe(outsideLabs, () => {
  itLooksTheSame("A pushed request", pushedRequests);
});
