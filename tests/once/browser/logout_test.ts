import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { demoClients } from "../../../src/lab/demo/demo_clients.ts";
import { features } from "../../../src/lab/features.ts";
import { additionsOf } from "../../../src/lab/lab_server/create_server.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { chromium, type Tab } from "../../support/chromium.ts";
import { inBrowser, listening } from "../../support/in_browser.ts";
import { present } from "../../support/present.ts";

const skip = chromium ? false : "this machine has no Chromium";

/** A lab whose single-page app wants to be told in a frame, at another origin. */
async function withFramedClient(
  act: (tab: Tab, issuer: string, client: { origin: string; asked: string[] }) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const handler = async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return new Response("<!doctype html><h1>client</h1>", {
      headers: { "Content-Type": "text/html" },
    });
  };
  await listening(handler, async (origin) => {
    const clientsAt = (issuer: string): ClientConfig[] => {
      const [spa] = demoClients({ issuer, redirectUris: [`${origin}/cb`] }, additionsOf(features));
      return [{
        ...present(spa),
        postLogoutRedirectUris: [`${origin}/bye`],
        frontchannelLogoutUri: `${origin}/logout`,
      }];
    };
    await inBrowser((issuer) => ({ clients: clientsAt(issuer) }), async (tab, issuer) => {
      await tab.goto(`${issuer}/start?client_id=demo-spa`);
      await tab.click("#one-click-alice");
      await tab.click("#allow");
      await act(tab, issuer, { origin, asked });
    });
  });
}

describe("In Chromium, signing out", () => {
  it(
    "lets a client of another origin know in a frame, and then goes on to where it wants the person",
    { skip },
    async () => {
      await withFramedClient(async (tab, issuer, { origin, asked }) => {
        const query = new URLSearchParams({
          client_id: "demo-spa",
          post_logout_redirect_uri: `${origin}/bye`,
          state: "s",
        });
        await tab.goto(`${issuer}/oauth2/logout?${query}`);
        await tab.click("#sign-out-button");
        await tab.arrive(`${origin}/bye?state=s`);
        assertEquals(asked.slice(0, 2), ["/logout", "/bye"]);
        assertEquals(tab.complaints.filter((text) => /Content Security Policy/.test(text)), []);
      });
    },
  );

  it(
    "is one way out of the page of connected applications; removing one is another",
    { skip },
    async () => {
      await withFramedClient(async (tab, issuer) => {
        await tab.goto(`${issuer}/`);
        await tab.click("#account");
        assertMatch(await tab.text("#app-demo-spa"), /Demo single-page app/);
        await tab.click("#remove-demo-spa button");
        assertEquals(await tab.evaluate("document.querySelector('#app-demo-spa')"), null);
        await tab.click("#sign-out button");
        await tab.arrive(`${issuer}/`);
      });
    },
  );
});
