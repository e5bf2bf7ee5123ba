import type { UserConfig } from "../../../server/config/user_config.ts";
import { type CheckTable, should } from "../../findings/sentences.ts";
import { ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading } from "../verdicts/drill_check.ts";
import { signedOutReason } from "./application_login.ts";
import { linksOf, mostLinks } from "./page_controls.ts";
import type { SeenSession, SessionCheck } from "./session_check.ts";
import { look, nothingOwn, see, wantedUser } from "./user_checks.ts";
import { withUser } from "./watch_lab.ts";

/** Pages that only some users open, in many applications, and the groups whose users may. */
const usualPages = ["/admin", "/staff", "/internal", "/manage", "/management"];
const usualGroups = ["admin", "admins", "administrators", "staff", "manager", "owner"];

type GateClaims = NonNullable<UserConfig["claims"]>;

/** What a drill finds out about pages that some users open by what the provider says of them. */
export const gateChecks: CheckTable<SessionCheck> = {
  email_gate: should("ownData", {
    takes: "nothing",
    title: "A rule on e-mail addresses must compare the whole domain, of a verified address",
    mistake: "Takes another address for one of the domain whose users it admits",
    gain: "Who has such an address at the provider opens the pages for users of the domain.",
    fix: "Require email_verified === true and one @, and compare all that follows it.",
    run: tryAddresses,
  }),
  role_from_claim: should("ownData", {
    takes: "nothing",
    title: "A rule on groups or roles must compare whole names in a list that is there",
    mistake: "Takes a user for one of a group whom the provider puts into none of that name",
    gain: "Who is in another group, or in none, opens pages for that group.",
    fix: "Require a list, look for the exact name in it, and refuse who has no list.",
    run: tryGroups,
  }),
};

async function tryAddresses(session: SeenSession): Promise<CheckReading> {
  const [{ claims: { email = "" } = {} }] = session.users;
  const [, domain = ""] = String(email).split("@");
  const at = (end: string, email_verified: unknown = true) => ({
    email: `hallpass-drill@${end}`,
    email_verified,
  });
  return await tryGate(session, at(domain), [
    ["a longer domain", at(`${domain}.attacker.example`)],
    ["a domain that ends with it", at(`not-${domain}`)],
    ["two domains", at(`attacker.example@${domain}`)],
    ["an unverified address", at(domain, false)],
    ["an unverified address ('false' as a text)", at(domain, "false")],
  ]);
}

async function tryGroups(session: SeenSession): Promise<CheckReading> {
  const [named, longer] = [usualGroups, usualGroups.map((each) => `no-${each}-here`)];
  const of = (groups: unknown): GateClaims => ({ groups, roles: groups });
  return await tryGate(session, of(named), [
    ["a longer name of a group", of(longer)],
    ["a text that has the name of a group", of(longer.join(" "))],
  ], { wrong: of(["hallpass-drill"]), lacking: "without any group" });
}

/**
 * Finds pages that open with some claims, and not with others, and tries what is nearly the same.
 * One user has all these claims, one after the other.
 */
async function tryGate(
  session: SeenSession,
  right: GateClaims,
  nearMisses: ReadonlyArray<readonly [what: string, claims: GateClaims]>,
  { wrong = {}, lacking }: { wrong?: GateClaims; lacking?: string } = {},
): Promise<CheckReading> {
  const { page } = await look(session, session.signedIn.browser);
  const links = linksOf([page]).slice(0, mostLinks);
  const usual = usualPages.map((path) => new URL(path, page.url).href);
  const urls = [...new Set([page.url, ...links, ...usual])];
  const user = session.makeUser({}, wantedUser);
  /** Returns which pages open for a user with these claims; none if the login is refused. */
  const openWith = async (claims: GateClaims, among: readonly string[]) => {
    const signIn = () =>
      see(session, user, [["userinfo.changed", { merge: claims }], ["token.claims", { claims }]]);
    const seen = await withUser(session.lab, user, signIn).catch(ignoreProblem);
    const found: string[] = [];
    for (const url of seen ? among : []) {
      const shown = await seen?.browser.copy().open(url).catch(ignoreProblem);
      const isThere = shown && shown.way.length === 1 && !signedOutReason(url, shown);
      if (isThere) found.push(url);
    }
    return found;
  };
  const open = await openWith(wrong, urls);
  const closed = urls.filter((url) => !open.includes(url));
  // Other pages may be for who has none, such as one that offers groups.
  const [bare] = lacking ? await openWith({}, closed.filter((url) => usual.includes(url))) : [];
  if (bare) return { wrong: [{ received: `${withoutQuery(bare)} opens ${lacking}` }] };
  const gates = await openWith(right, closed);
  if (gates.length === 0) return nothingOwn;
  for (const [what, claims] of nearMisses) {
    const [opened] = await openWith(claims, gates);
    if (opened) return { wrong: [{ received: `${withoutQuery(opened)} opens with ${what}` }] };
  }
  return {};
}
