import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type ProtectedResource,
  protectedResource,
} from "../../../../src/resource/protected_resource.ts";
import { type Kit, openKit } from "../../../support/kit.ts";
import { assertDescription, type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { applyEdit, mutated, textEdit } from "../generators/texts.ts";
import { anyJwt } from "../generators/values.ts";

const resource = "https://api.example";

const kit: Kit = openKit();
const { access_token: accessToken, id_token: idToken } = await kit.tokens({
  scope: "openid read",
  resource,
});

const api: ProtectedResource = protectedResource({
  resource,
  authorizationServers: [kit.issuer],
  now: () => kit.clock.now,
  fetch: (url, init) => kit.server.fetch(new Request(url, init as RequestInit)),
});

/** What an API gets as its token: its own with a change, another one, or what nobody signed. */
const anyToken = fc.oneof(
  fc.tuple(fc.constantFrom(accessToken, idToken), fc.array(textEdit, { maxLength: 2 }))
    .map(([token, edits]) => edits.reduce(applyEdit, token ?? "")),
  anyJwt,
);

const anyScheme = mutated(fc.constantFrom("Bearer ", "DPoP ", "bearer "));

/** The library for APIs. */
export const resourceTargets: readonly FuzzTarget[] = [
  fuzzTarget(
    "an API accepts its token alone",
    fc.tuple(anyScheme, anyToken, fc.option(anyJwt)),
    async ([scheme, token, proof]) => {
      const request = new Request(`${resource}/things`);
      try {
        request.headers.set("Authorization", `${scheme}${token}`);
        if (proof !== null) request.headers.set("DPoP", proof);
      } catch {
        return; // No header can have this value.
      }
      const access = await api.require(request, { scope: ["read"] });
      if (!(access instanceof Response)) return assertEquals(access.token, accessToken);
      assert(access.status === 400 || access.status === 401, `${access.status}`);
      assert(access.headers.has("WWW-Authenticate"));
      const text = await access.text();
      if (text !== "") assertDescription(JSON.parse(text).error_description);
    },
  ),
];
