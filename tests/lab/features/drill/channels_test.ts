import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { applicationFoldRules } from "../../../../src/lab/features/drill/fold_rules.ts";
import { unfoldFindings } from "../../../../src/lab/features/verdicts/fold.ts";
import {
  type Change,
  openSite,
  siteOrigin,
  type SitePlan,
} from "../../../corpus/broken/open_site.ts";
import { readClaims, type Site } from "../../../corpus/broken/site.ts";
import { call } from "../../../corpus/harness/measured_lab.ts";

const stepsOf = (site: Site): Site => Object.getPrototypeOf(site);

/** Fetches the keys, and goes on if the signature is wrong. */
const logsSignatures: Change = (site) => ({
  verifyIdToken: (token) => stepsOf(site).verify.call(site, token).catch(() => readClaims(token)),
});

/** Reads the ID token as what it is: text. */
const verifiesNone: Change = () => ({ verifyIdToken: async (token) => readClaims(token) });

const ignoresClaims: Change = () => ({ checkIss() {}, checkAud() {}, checkExp() {} });

/** Takes the ID token that the browser brings, and asks for no code. */
function fromBrowser(change: Change): SitePlan {
  return {
    configuration: {
      ...{ pkce: false, userinfo: false, responseMode: "form_post" },
      scope: "openid profile email",
    },
    lab: { responseTypes: ["code", "id_token"] },
    change: (site) => {
      let received: string | null = null;
      return {
        ...change(site),
        authorizationParameters: async (pending) => ({
          ...await stepsOf(site).authorizationParameters.call(site, pending),
          response_type: "id_token",
        }),
        async callback(request, url) {
          received = new URLSearchParams(await request.clone().text()).get("id_token");
          return await stepsOf(site).callback.call(site, request, url);
        },
        redeem: async () => ({ id_token: received, access_token: "none", token_type: "Bearer" }),
      };
    },
  };
}

async function drill(plan: SitePlan, only: readonly string[]) {
  await using lab = await openSite(plan);
  const start = `${siteOrigin}/account`;
  const { findings, verdict } = await call(lab, "POST /drill", { start, check: start, only });
  return {
    found: unfoldFindings(findings, applicationFoldRules).map(({ grade, id }) => `${grade} ${id}`),
    senders: findings.map(({ sender }: { sender?: string }) => sender),
    notes: verdict.notes,
  };
}

const signatures = ["id_token.alg_none", "id_token.foreign_signature"];
const claims = ["id_token.wrong_iss", "id_token.wrong_aud", "id_token.expired"];

describe("A signature that is not verified", () => {
  it("is a C where the ID token comes from the token endpoint, and says why", async () => {
    const { found, senders } = await drill({ change: logsSignatures }, signatures);
    assertEquals(found.toSorted(), signatures.map((id) => `C ${id}`));
    assertEquals(senders, [
      "It came from the token endpoint of your issuer. In production TLS vouches for it: if you " +
      "switch off certificate checks, add a second provider, take ID tokens from a page, or your " +
      "provider's tenants share keys, this is an attack.",
    ]);
  });

  it("is an F where the ID token comes through the browser", async () => {
    const { found, senders } = await drill(fromBrowser(logsSignatures), signatures);
    assertEquals(found.toSorted(), signatures.map((id) => `F ${id}`));
    assertEquals(senders, ["Anyone can do this."]);
  });

  it("is nothing where TLS vouches for the ID token, and an F in the browser, where it does not", async () => {
    const tls: SitePlan = { configuration: { signatures: false } };
    const code = await drill(tls, signatures);
    assertEquals([code.found, code.notes.length], [[], 1]);
    const { found } = await drill(fromBrowser(verifiesNone), signatures);
    assertEquals(found.toSorted(), signatures.map((id) => `F ${id}`));
  });
});

describe("A claim that is not compared", () => {
  it("is a C where the ID token comes from the token endpoint", async () => {
    const { found } = await drill({ change: ignoresClaims }, claims);
    assertEquals(found.toSorted(), claims.map((id) => `C ${id}`).toSorted());
  });

  it("is a D where it comes through the browser, and takes a token; an issuer takes a second one", async () => {
    const { found } = await drill(fromBrowser(ignoresClaims), claims);
    assertEquals(found.toSorted(), [
      "C id_token.wrong_iss",
      "D id_token.expired",
      "D id_token.wrong_aud",
    ]);
    const shared = fromBrowser(ignoresClaims);
    const { found: worse } = await drill(
      { ...shared, lab: { ...shared.lab, dialect: { traits: ["shared keys"] } } },
      claims,
    );
    assertEquals(worse.toSorted(), claims.map((id) => `D ${id}`).toSorted());
  });
});
