import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { openLibrary } from "./library_login.ts";

const redirectUri = "https://app.example/callback";
const settings = { clients: [{ id: "app", redirectUris: [redirectUri], partialConsent: true }] };

const openApp = (lab: TestLab) => openLibrary(lab, { client: "app", redirectUri });

describe("A library whose user allows less", () => {
  it("learns the scope of its tokens", async () => {
    await using lab = await hallpass(settings);
    const { begin, validate, redeem } = await openApp(lab);
    const { url, verifier, state } = await begin({ scope: "read write" });
    const { callback } = await lab.authorize(url, { user: "alice", grant: ["read"] });
    assertEquals((await redeem(validate(callback, state), verifier)).scope, "read");
    lab.assertClean();
  });

  it("gets a denial of a device: access_denied", async () => {
    const grantTypes = ["urn:ietf:params:oauth:grant-type:device_code"];
    await using lab = await hallpass({ clients: [{ id: "app", grantTypes }] });
    const { beginDevice, pollDevice } = await openApp(lab);
    const { verification_uri_complete: url = "", device_code } = await beginDevice({
      scope: "read",
    });
    await lab.authorize(url, { user: "alice", decision: "deny" });
    const error = await assertRejects(() => pollDevice(device_code), oauth.ResponseBodyError);
    assertEquals("error" in error && error.error, "access_denied");
  });
});

describe("A library that reads signed responses (JARM)", () => {
  const read = async (lab: TestLab) => {
    const { server, client, options, begin } = await openApp(lab);
    const { url, state } = await begin({ scope: "read write", response_mode: "jwt" });
    const callback = new URL((await lab.authorize(url, { user: "alice" })).callback);
    return await oauth.validateJwtAuthResponse(server, client, callback, state, options);
  };

  it("accepts an honest one, and one that a hook has changed", async () => {
    await using lab = await hallpass(settings);
    lab.on("redirect", ({ parameters }) => void (parameters.note = "signed again"));
    assertEquals((await read(lab)).get("note"), "signed again");
  });

  for (
    const fault of [
      "callback.wrong_state",
      "callback.without_state",
      "callback.wrong_iss",
      "callback.without_iss",
      "callback.denied",
    ] as const
  ) {
    it(`rejects ${fault}`, async () => {
      await using lab = await hallpass(settings);
      using added = lab.fault(fault);
      await assertRejects(() => read(lab));
      assertEquals(added.fired, 1);
    });
  }
});
