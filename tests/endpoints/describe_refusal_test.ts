import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { describeRefusal } from "../../src/endpoints/responses/describe_refusal.ts";
import { readText } from "../../src/http/body.ts";
import { OAuthError } from "../../src/protocol/oauth_error.ts";
import { openKit, openStrictKit } from "../support/kit.ts";

/** Returns how a message about a value is described after a request that sent the value. */
async function described(value: string, message: string, name = "x"): Promise<string> {
  const body = new URLSearchParams({ [name]: value });
  const request = new Request("https://hallpass.test/oauth2/token", { method: "POST", body });
  await readText(request);
  const error = new OAuthError("invalid_request", message);
  return (await describeRefusal(openStrictKit().server.context, request, error)).description;
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const long = letters.repeat(5);

describe("What an event shows of a message that repeats a request", () => {
  const values: Array<[what: string, value: string, shown: string]> = [
    ["a short word", "zyxwv", "zyxwv"],
    ["a longer text by its length", "zyxwvu", "[6 characters]"],
    ["a word of the protocol", "form_post", "form_post"],
    ["almost a grant type", "authorization_cod", "authorization_cod"],
    ["almost a scope", "proffile", "proffile"],
    ["a URL without its query", "https://a.example/b?c=d", "https://a.example/b[4 characters]"],
    ["a URL without a query", "https://a.example/b", "https://a.example/b"],
    ["a URL with a user by its length", "https://u:p@a.example/", "[22 characters]"],
    ["a URN by its length", "urn:example:some", "[16 characters]"],
  ];
  for (const [what, value, shown] of values) {
    it(`is ${what}: ${value}`, async () =>
      assertEquals(await described(value, `Received: '${value}'.`), `Received: '${shown}'.`));
  }

  for (const length of [16, 32, 60, 64, 100, 129]) {
    it(`S9: is the length of a value of which it repeats ${length} characters`, async () => {
      const message = `Received: '${long.slice(0, length)}'.`;
      assertEquals(await described(long, message), "Received: '[130 characters]'.");
    });
  }

  it("is the value where the message repeats it without quotes, or another part of it", async () => {
    for (const message of ["zyxwvu is wrong", `Received: '${"zyxwvu".slice(0, 5)}'`]) {
      assertEquals(await described("zyxwvu", message), message);
    }
  });

  it("is a value like the name of its parameter, up to 40 characters", async () => {
    const name = letters + letters.slice(0, 14);
    const shown = async (value: string) => await described(value, `'${value}'`, name);
    assertEquals(await shown(name), `'${name}'`);
    assertEquals(await shown(`${name}x`), "'[41 characters]'");
  });

  it("S9: is the length of a long credential that came as the grant type", async () => {
    const clients = [{ id: "app", redirectUris: ["https://app.example/cb"] }];
    const kit = openStrictKit({ clients });
    await kit.token({ grant_type: long, client_id: "app" });
    const refused = kit.events.find((event) => event.type === "request.refused");
    assertEquals(JSON.stringify(refused).includes(long.slice(0, 10)), false);
  });

  it("has the section and the hint of the error, where there are any", async () => {
    const request = new Request("https://hallpass.test/?a=zyxwvu");
    const members = { see: "RFC 6749", hint: "Received: 'zyxwvu'." };
    const { context } = openStrictKit().server;
    const error = new OAuthError("invalid_request", "No.", members);
    assertEquals(await describeRefusal(context, request, error), {
      description: "No.",
      see: "RFC 6749",
      hint: "Received: '[6 characters]'.",
    });
    const bare = await describeRefusal(context, request, new OAuthError("invalid_request", "No."));
    assertEquals(bare, { description: "No." });
    const inLab = await describeRefusal(openKit().server.context, request, error);
    assertEquals(inLab.hint, members.hint);
  });
});
