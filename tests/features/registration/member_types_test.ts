import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { type Kit, openKit, type ReadResponse } from "../../support/kit.ts";
import { register, sendJson } from "../../support/registration.ts";
import { memberValues } from "./member_types.ts";

const refusals = ["invalid_client_metadata", "invalid_redirect_uri"];

/** Opens a lab, without the limits on what one sender registers. */
function open(): Kit {
  const kit = openKit();
  kit.address = undefined;
  return kit;
}

function assertRefused({ status, body }: ReadResponse, isWrong: boolean, what: string): void {
  const isRefused = status === 400 && refusals.includes(`${body.error}`);
  assert(isRefused || (!isWrong && status < 300), `${what}: ${status} ${JSON.stringify(body)}`);
}

describe("A member of the client metadata (RFC 7591, section 2)", () => {
  for (const [name, values] of memberValues) {
    it(`is refused at registration and in an update if it has another type of JSON: ${name}`, async () => {
      for (const { value, isWrong } of values) {
        const kit = open();
        const what = `${name}: ${JSON.stringify(value)?.slice(0, 100)}`;
        assertRefused(await register(kit, { [name]: value }), isWrong, what);
        const { client_id, registration_client_uri, registration_access_token } =
          (await register(kit)).body;
        const metadata = { redirect_uris: ["https://app.example/cb"], client_id, [name]: value };
        const changed = await sendJson(
          kit,
          "PUT",
          registration_client_uri,
          metadata,
          registration_access_token,
        );
        assertRefused(changed, isWrong, `update of ${what}`);
      }
    });
  }
});
