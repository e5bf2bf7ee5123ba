import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type Change,
  openSite,
  siteOrigin,
  type SitePlan,
} from "../../../corpus/broken/open_site.ts";
import { Problem, readClaims, redirect, type Site } from "../../../corpus/broken/site.ts";
import { call, type Json } from "../../../corpus/harness/measured_lab.ts";

const urls = {
  start: `${siteOrigin}/account`,
  check: `${siteOrigin}/account`,
  refresh: `${siteOrigin}/refresh`,
  logout: `${siteOrigin}/logout`,
};

const stepsOf = (site: Site): Site => Object.getPrototypeOf(site);

async function drill(plan: SitePlan, options: object = {}): Promise<Json> {
  await using lab = await openSite(plan);
  return await call(lab, "POST /drill", { ...urls, ...options });
}

/** What signs users in whom the application may keep. */
const ofUsers = [
  ...["second_user", "account_by_email", "account_without_sub"],
  ...["id_token.wrong_sub", "userinfo.wrong_sub"],
];

/** Drills one application some times in a row, at last with all. Returns what each drill found. */
async function drillAgain(change: Change, times: number): Promise<string[]> {
  await using lab = await openSite({ change });
  const seen: string[] = [];
  for (let left = times - 1; left >= 0; left--) {
    const only = left > 0 ? ofUsers : undefined;
    const { verdict, findings } = await call(lab, "POST /drill", { ...urls, only });
    seen.push([verdict.grade ?? "–", ...idsOf({ findings })].join(" "));
  }
  return seen;
}

function problem(message: string): never {
  throw new Problem(message);
}

function idsOf({ findings = [] }: Json): string[] {
  return findings.map(({ id }: Json) => id);
}

/** Finds the account by the link of the user, or by a verified address, which it links then. */
const linksVerified: Change = () => {
  const links = new Map<string, string>();
  return {
    accountKey({ iss, sub }, { email, email_verified }) {
      const own = `${iss} ${sub}`;
      const known = links.get(own) ?? (email_verified && links.get(email)) ?? own;
      const key = known === false ? own : known;
      links.set(own, key);
      if (!links.has(email)) links.set(email, key);
      return key;
    },
  };
};

/** Lets a claim of userinfo belong to one user. */
function unique(claim: string): Change {
  return () => {
    const owners = new Map<unknown, unknown>();
    return {
      accountKey({ iss, sub }, { [claim]: value }) {
        if ((owners.get(value) ?? sub) !== sub) throw new Problem(`This ${claim} is taken`, 409);
        owners.set(value, sub);
        return `${iss} ${sub}`;
      },
    };
  };
}

const allowList: Change = () => ({
  accountKey({ iss, sub }) {
    if (!["alice", "bob"].includes(sub)) throw new Problem("You are not invited", 403);
    return `${iss} ${sub}`;
  },
});

describe("V1: Two drills in a row of one application", () => {
  it("agree about one that links an account by its verified address", async () => {
    assertEquals(await drillAgain(linksVerified, 2), ["– account_by_email", "B account_by_email"]);
  });

  for (
    const [what, change] of [
      ["whose e-mail addresses are unique", unique("email")],
      ["whose user names are unique", unique("preferred_username")],
      ["that admits some users", allowList],
    ] as const
  ) {
    it(`agree about one ${what}, also the third time`, async () => {
      assertEquals(await drillAgain(change, 3), ["–", "–", "A"]);
    });
  }
});

describe("The users of a drill", () => {
  /** Returns the users that signed in, and are no users of the lab. */
  async function madeBy(options: object): Promise<string[]> {
    const users = new Set<string>();
    await drill({
      change: () => ({
        accountKey({ iss, sub }, { name }) {
          users.add(name);
          return `${iss} ${sub}`;
        },
      }),
    }, options);
    return [...users].filter((name) => name.startsWith("Nova"));
  }

  it("are at most six besides those of the lab, and have names that say what they are", async () => {
    const made = await madeBy({});
    assertEquals(made.length > 0 && made.length <= 6, true, made.join());
    for (const name of made) assertMatch(name, /^Nova hallpass-/);
  });

  it("are as many as it may make: what needs more is not tested", async () => {
    const { checks } = await drill({}, { users: 0, only: ["account_by_email"] });
    assertStringIncludes(checks[0].skipped, "It needs more users than the 0 that a drill makes");
  });

  it("cost no letter where a drill makes too few", async () => {
    const change: Change = () => ({
      checkUserinfo({ sub }, claims) {
        if (sub !== undefined && sub !== claims.sub) throw new Problem("Another user");
      },
    });
    const { verdict, outcomes } = await drill({ change });
    const lacking = outcomes.filter(({ reason = "" }: Json) => /more users/.test(reason));
    const rows = ["userinfo.wrong_sub", "id_token.wrong_sub"];
    assertEquals(lacking.map(({ fault }: Json) => fault), rows);
    assertEquals([verdict.grade, verdict.untested], ["C", []]);
  });

  it("that an application does not admit show nothing about accounts", async () => {
    const { checks } = await drill({ change: allowList }, { only: ["account_by_email"] });
    assertStringIncludes(checks[0].skipped, "admits no new user");
  });
});

describe("V2: An application that shows the claims of a token, and has no accounts", () => {
  it("is not taken for one whose users share an account, as its pages say 'undefined'", async () => {
    const change: Change = (site) => ({
      checkClaims: (claims) => {
        site.checkIss(claims);
        site.checkAud(claims);
        site.checkExp(claims);
      },
      checkUserinfo: () => {},
      accountKey: () => crypto.randomUUID(),
      accountHtml: ({ claims }) =>
        `<h1>Signed in as ${claims.email}</h1><p>${claims.sub}, ${claims.sub ?? null}</p>` +
        `<form method="post" action="/logout"><button>Sign out</button></form>`,
    });
    const result = await drill({ change }, { only: ["account_without_sub"] });
    assertEquals([idsOf(result), result.checks[0].skipped], [[], undefined]);
  });
});

describe("V5: An application that throws the ID token of a refresh away", () => {
  it("is not judged by it", async () => {
    const only = ["refresh.wrong_sub", "refresh.wrong_iss", "refresh.wrong_aud"];
    const change: Change = () => ({ checkRefreshed: () => Promise.resolve() });
    const { findings, verdict } = await drill({ change }, { only });
    assertEquals(findings, []);
    assertMatch(verdict.notes[0].text, /^The ID token of a refresh was not judged/);
    assertEquals(verdict.notes.length, 1);
  });

  it("breaks a rule if a page shows a claim of that token", async () => {
    const change: Change = () => ({
      async checkRefreshed(token, session) {
        session.claims = readClaims(token);
      },
    });
    assertEquals(idsOf(await drill({ change }, { only: ["refresh.wrong_sub"] })), [
      "refresh.wrong_sub",
    ]);
  });
});

describe("V6: An application that does not compare the azp of an ID token", () => {
  it("gets a note, as no step of the validation is about another azp", async () => {
    const { findings, verdict } = await drill({ change: () => ({ checkAzp() {} }) }, {
      only: ["id_token.foreign_azp"],
    });
    const notes = verdict.notes.map(({ id }: Json) => id);
    assertEquals([findings, notes], [[], ["id_token.foreign_azp"]]);
  });
});

describe("V7: An application that takes its users from userinfo, and reads no ID token", () => {
  const only = [
    ...["token.without_id_token", "id_token.wrong_iss", "id_token.wrong_aud"],
    ...["id_token.expired", "userinfo.wrong_sub", "callback.foreign_code"],
  ];
  const gradesOf = async (pkce: boolean) => {
    const change: Change = () => ({
      readIdToken: async () => ({}),
      checkUserinfo() {},
      accountKey: (_, { sub }) => sub,
    });
    const configuration = { nonce: false, pkce };
    const urls = { refresh: undefined, logout: undefined };
    const { findings, verdict } = await drill({ change, configuration }, { ...urls, only });
    return [...findings.map(({ grade, id }: Json) => `${grade} ${id}`), ...verdict.notes];
  };

  it("gets advice where PKCE ties the code to its login", async () => {
    assertEquals(await gradesOf(true), ["B id_token.not_read"]);
  });

  it("breaks a rule where nothing does", async () => {
    assertEquals(await gradesOf(false), ["D callback.foreign_code", "C id_token.not_read"]);
  });
});

describe("V8: An application that keeps its tokens in a cookie", () => {
  const sizes: Array<[how: string, sizeOf: (token: string) => number]> = [
    ["full", (token) => token.length],
    // What compresses its cookies has room for a claim that is one letter, many times.
    ["full, and compressed", (token) => gzipSync(atob(token.split(".")[1] ?? "")).length],
  ];
  for (const [how, sizeOf] of sizes) {
    it(`has a cookie that is ${how}, and does not refuse aggregated claims`, async () => {
      const change: Change = (site) => {
        let usual = Infinity;
        return {
          keepTokens(session, tokens) {
            const size = sizeOf(tokens.id_token ?? "");
            usual = Math.min(usual, size);
            if (size > usual + 100) throw new Problem("The cookie is full");
            stepsOf(site).keepTokens.call(site, session, tokens);
          },
        };
      };
      const { findings: [{ id, title, gain }] } = await drill({ change }, {
        only: ["id_token.aggregated_claims"],
      });
      assertMatch(gain, /when their ID tokens are as large/);
      assertEquals(id, "id_token.aggregated_claims");
      assertMatch(title, /^ID tokens of \d+ bytes are too large for it$/);
    });
  }
});

describe("V9: A page that shows whether an address is verified", () => {
  it("does not show whose account it is", async () => {
    const change: Change = (site) => ({
      accountHtml: (session, account) =>
        stepsOf(site).accountHtml.call(site, session, account) +
        `<p>Verified: ${session.claims.email_verified}</p>`,
    });
    assertEquals(idsOf(await drill({ change }, { only: ["account_by_email"] })), []);
  });
});

describe("V10: What a finding says is gained", () => {
  const gainOf = async (change: Change, only: string[]) => {
    const { findings: [{ id, grade, gain }] } = await drill({ change }, { only });
    assertEquals(id, only[0]);
    return [grade, gain];
  };

  it("is no login of an attacker where PKCE refuses it", async () => {
    const change: Change = () => ({
      takePending: ({ pending }) => pending.pop() ?? problem("No login has begun"),
    });
    const [grade, gain] = await gainOf(change, ["callback.wrong_state", "callback.unsolicited"]);
    assertEquals(grade, "B");
    assertStringIncludes(gain, "PKCE or the nonce stops the attack here");
  });

  it("is no cookie for a script where the cookie is HttpOnly", async () => {
    const change: Change = () => ({ sessionCookie: (id) => `session=${id}; Path=/; HttpOnly` });
    assertEquals(await gainOf(change, ["cookie_flags"]), [
      "B",
      "Browsers that do not take it for Lax send the session with requests that other sites cause.",
    ]);
  });

  it("is nothing where only the provider can send it", async () => {
    const change: Change = () => ({ checkIss() {} });
    assertEquals(await gainOf(change, ["id_token.wrong_iss"]), ["C", undefined]);
  });
});

describe("V11: A finding", () => {
  it("that stands for others has an id of its own, and explains each of them", async () => {
    const change: Change = (site) => ({
      async checkRefreshed(token, session) {
        session.claims = readClaims(token);
      },
      accountHtml: (session, account) =>
        `${stepsOf(site).accountHtml.call(site, session, account)} ${session.claims.iss} ` +
        session.claims.aud,
    });
    const only = ["refresh.wrong_sub", "refresh.wrong_iss", "refresh.wrong_aud"];
    const { findings: [{ id, folded }] } = await drill({ change }, { only });
    assertEquals([id, folded.map((each: Json) => each.id).toSorted()], [
      "refresh.not_validated",
      only.toSorted(),
    ]);
  });

  it("of mix-up counts if a page leads to a tenant of the lab with the same redirect URI", async () => {
    const change: Change = (site) => ({
      checkIssuer: () => {},
      otherLink() {
        const query = new URLSearchParams({
          response_type: "code",
          client_id: "site",
          redirect_uri: site.redirectUri,
        });
        const { issuer } = site.settings;
        return `<a href="${issuer}/t/acme/oauth2/authorize?${query}">Acme</a>`;
      },
    });
    const { findings: [{ id, grade }] } = await drill({ change }, { only: ["callback.wrong_iss"] });
    assertEquals([id, grade], ["callback.wrong_iss", "D"]);
  });
});

describe("A letter", () => {
  it("is not lost to rows that need two refreshes, where one finding is that the second fails", async () => {
    const change: Change = () => ({
      keepTokens(session, tokens) {
        const kept = session.tokens.refresh_token ?? tokens.refresh_token;
        Object.assign(session, { tokens: { ...tokens, refresh_token: kept } });
      },
    });
    const { findings, verdict, outcomes } = await drill({ change }, {
      only: ["second_refresh", "refresh.not_rotated", "refresh.held", "refresh.lost"],
    });
    assertEquals(idsOf({ findings }), ["second_refresh"]);
    assertEquals(verdict.untested, []);
    const unmet = outcomes.filter(({ outcome }: Json) => outcome === "unmet");
    assertEquals(unmet.map(({ fault }: Json) => fault), ["refresh.held"]);
  });

  it("is not given to a page that scripts fill, where the drill runs none", async () => {
    const change: Change = (site) => ({
      accountHtml: () => `<div id="root"></div><script src="/app.js"></script>`,
      homePage: () => site.page(`<a href="/login">Sign in</a>`),
    });
    const { verdict } = await drill({ change }, { only: ["callback.wrong_state"] });
    const [{ what, why, used }] = verdict.untested;
    assertEquals([what, used], ["pages made by scripts", true]);
    assertStringIncludes(why, "/account is made by scripts");
  });
});

describe("V12: A page that differs in the order of its words alone", () => {
  it("shows who is signed in: 'Logged in, Log out' and 'Logged out, Log in'", async () => {
    const change: Change = (site) => ({
      homePage: (session) =>
        site.page(
          session?.account
            ? `<p>Logged in <a href="/login">Log out</a>`
            : `<p>Logged out <a href="/login">Log in</a>`,
        ),
      accountPage: () => redirect("/"),
    });
    const home = { start: `${siteOrigin}/login`, check: `${siteOrigin}/`, refresh: undefined };
    const { outcomes } = await drill({ change }, { ...home, only: ["callback.wrong_state"] });
    assertEquals(outcomes.map(({ outcome }: Json) => outcome), ["refused"]);
  });

  it("names no refresh as not tested of an application that asked for no refresh token", async () => {
    const change: Change = (site) => ({ refreshPage: async () => site.page("<p>Not here") });
    const untestedOf = async (scope: string) => {
      const { verdict } = await drill({ change, configuration: { scope } }, {
        refresh: undefined,
        only: ["refresh.wrong_sub"],
      });
      return verdict.untested.map(({ what }: Json) => what);
    };
    assertEquals(await untestedOf("openid profile email"), []);
    assertEquals(await untestedOf("openid profile email offline_access"), ["refresh"]);
  });

  it("names the URL that shows markup, and not the one that begins a login", async () => {
    const change: Change = (site) => ({
      callback: async (request, url) =>
        url.searchParams.has("error")
          ? site.page(`<p>${url.searchParams.get("error_description")}`, 400)
          : await stepsOf(site).callback.call(site, request, url),
    });
    const { findings: [{ received }] } = await drill({ change }, { only: ["error_markup"] });
    assertStringIncludes(received, "/callback");
  });
});
