import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { openLabKit, type ReadResponse } from "../../support/kit.ts";
import { register, sendJson } from "../../support/registration.ts";
import { memberValues } from "./member_types.ts";

const refusals = ["invalid_client_metadata", "invalid_redirect_uri"];

function assertRefused({ status, body }: ReadResponse, isWrong: boolean, what: string): void {
  const isRefused = status === 400 && refusals.includes(`${body.error}`);
  assert(isRefused || (!isWrong && status < 300), `${what}: ${status} ${JSON.stringify(body)}`);
}

describe("A member of the client metadata (RFC 7591, section 2)", () => {
  for (const [name, values] of memberValues) {
    it(`is refused at registration and in an update if it has another type of JSON: ${name}`, async () => {
      // With what reads requests around the server.
      const kit = openLabKit();
      for (const { value, isWrong } of values) {
        kit.clock.advance(60);
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
