import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { describe, it } from "node:test";
import { add as addUser } from "../../../../src/administration/users.ts";
import { publicPasswords } from "../../../../src/lab/sign_in/one_click.ts";
import { createFullServer } from "../../../../src/server/features.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import { chromium, type Tab } from "../../../support/chromium.ts";
import { serverInBrowser, until } from "../../../support/in_browser.ts";
import { addPasskeyDevice } from "../../../support/passkey_device.ts";
import { everyLook, problemsOf, translatedLooks } from "../../browser/page_problems.ts";

const skip = chromium ? false : "this machine has no Chromium";
const password = "a password of dora";

/** Writes a picture of the page, if a folder for pictures is given. */
async function picture(tab: Tab, name: string): Promise<void> {
  const folder = process.env.PASSKEY_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of [[1280, 800], [360, 740]]) {
    await tab.send("Emulation.setDeviceMetricsOverride", {
      ...{ width, height, deviceScaleFactor: 1, mobile: false },
    });
    const { data } = await tab.send("Page.captureScreenshot", { captureBeyondViewport: true });
    await writeFile(`${folder}/${name}-${width}.png`, Buffer.from(String(data), "base64"));
  }
}

/** Looks at the page in each language. */
async function inspect(tab: Tab, name: string): Promise<void> {
  const address = await tab.url();
  for (const language of ["de", "es", "ar", "en"]) {
    await tab.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Language": language } });
    await tab.goto(address);
    await picture(tab, `${name}-${language}`);
    const looks = language === "en" ? everyLook : translatedLooks;
    assertEquals([name, language, await problemsOf(tab, looks)], [name, language, []]);
  }
}

async function signOut(tab: Tab): Promise<void> {
  await tab.evaluate("document.querySelector('#sign-out').requestSubmit()");
  await until(tab, "!document.querySelector('#sign-out')");
}

describe("Passkeys in Chromium (WebAuthn Level 3)", () => {
  it("are added at the account page, and sign in", { skip }, async () => {
    const store = memoryStore();
    const policies = { passwords: publicPasswords };
    const other = createFullServer({ issuer: "https://other.example", store, policies });
    await addUser(other.context, { name: "dora", password });
    await serverInBrowser({ users: [], store, passkeys: "offered" }, async (tab, issuer) => {
      await addPasskeyDevice(tab);
      await tab.goto(`${issuer}/account`);
      assertEquals(await tab.evaluate("document.querySelector('#passkey-sign-in')"), null);
      await tab.type("#username", "dora");
      await tab.type("#password", password);
      await tab.click("#sign-in-button");
      await tab.click("#manage-passkeys");
      await inspect(tab, "passkeys-none");
      await tab.click("#add-passkey-button");
      assertStringIncludes(await tab.text("#passkeys"), "On one device");
      await inspect(tab, "account-with");
      await signOut(tab);
      // Without autofill, which the authenticator would answer at once, the button signs in.
      const { identifier } = await tab.send("Page.addScriptToEvaluateOnNewDocument", {
        source: "PublicKeyCredential.isConditionalMediationAvailable = () => false;",
      });
      await tab.goto(`${issuer}/account`);
      await until(tab, "document.querySelector('#passkey-sign-in-button:not([hidden])')");
      await inspect(tab, "sign-in");
      await until(tab, "document.querySelector('#passkey-sign-in-button:not([hidden])')");
      await tab.click("#passkey-sign-in-button");
      assertStringIncludes(await tab.text("#passkeys"), "Last used");
      await signOut(tab);
      await tab.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
      // Now autofill is answered.
      await tab.goto(`${issuer}/account`);
      await until(tab, "document.querySelector('#passkeys')");
      await tab.click("#manage-passkeys");
      await inspect(tab, "passkeys-one");
      assertStringIncludes(await tab.text("#passkey-list"), "Chrome · Linux");
      assert(tab.complaints.length === 0, tab.complaints.join("\n"));
    });
  });
});
