import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { entryChecks } from "../../../../src/lab/features/drill/entry_checks.ts";
import { gateChecks } from "../../../../src/lab/features/drill/gate_checks.ts";
import { pageChecks } from "../../../../src/lab/features/drill/page_checks.ts";
import { requestChecks } from "../../../../src/lab/features/drill/request_checks.ts";
import type { SessionCheck } from "../../../../src/lab/features/drill/session_check.ts";
import { userChecks } from "../../../../src/lab/features/drill/user_checks.ts";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import { checksOf } from "../../../../src/lab/findings/sentences.ts";
import { testClient } from "../../../support/test_client.ts";
import { openAccountSite, siteOrigin, type SiteWeakness } from "./account_site.ts";

const only = [
  ...checksOf<SessionCheck>({
    ...pageChecks,
    ...userChecks,
    ...entryChecks,
    ...requestChecks,
    ...gateChecks,
  }).map(
    ({ id }) => id,
  ),
  ...["ended_token", "session_survives", "old_cookie", "secret_in_page", "secret_in_url"] as const,
  ...["callback.wrong_iss", "callback.without_iss"] as const,
  ...["userinfo.wrong_sub", "userinfo.without_sub", "id_token.wrong_sub"] as const,
];

async function drill(weaknesses: readonly SiteWeakness[], options: { users?: number } = {}) {
  const lab = await openAccountSite(weaknesses);
  try {
    const { findings, checks } = await lab.drill({ start: `${siteOrigin}/`, ...options }, only);
    const skipped = checks.filter((check) => check.skipped !== undefined).map(({ id }) => id);
    for (const { id, where } of findings) {
      assert(lab.flows().some((flow) => flow.id === where.flow), `${id} leads to no login`);
    }
    return { found: findings.map(nameOf), skipped };
  } finally {
    await lab.close();
  }
}

function nameOf({ id, grade, folded = [] }: Finding): string {
  const explained = folded.map((each) => each.id).join(", ");
  return `${grade} ${id}${explained && `, which explains ${explained}`}`;
}

const planted: Array<[weaknesses: SiteWeakness | SiteWeakness[], found: string]> = [
  ["open_redirect_absolute", "D open_redirect"],
  ["open_redirect_relative", "D open_redirect"],
  ["open_redirect_backslash", "D open_redirect"],
  ["open_redirect_prefix", "D open_redirect"],
  ["open_redirect_path", "D open_redirect"],
  ["open_redirect_suffix", "D open_redirect"],
  ["open_redirect_tab", "D open_redirect"],
  ["numbered_sessions", "F guessable_session"],
  ["login_opens_page", "F unfinished_login"],
  ["open_spelling", "F path_spelling"],
  ["open_in_query", "F path_spelling"],
  ["name_markup", "F claim_markup"],
  ["name_markup_elsewhere", "F claim_markup"],
  [["open_redirect_absolute", "checks_redirect_uri"], "D open_redirect"],
  ["sign_out_redirect", "D open_redirect"],
  ["sign_out_form_redirect", "D open_redirect"],
  ["sign_out_button_redirect", "D open_redirect"],
  ["sign_out_page_redirect", "D open_redirect"],
  ["error_markup", "F error_markup"],
  ["error_markup_of_login", "B error_markup"],
  ["denied_loop", "B denied_loop"],
  ["cookie_without_http_only", "B cookie_flags"],
  ["cookie_without_same_site", "B cookie_flags"],
  ["old_cookie", "B old_cookie"],
  ["repeats_refused_token", "B ended_token"],
  ["idle_sign_out", "D session_survives"],
  ["shared_page", "F second_user"],
  ["shared_account", "F second_user"],
  ["keeps_first_user", "F second_user"],
  [["keeps_first_user", "renders_at_callback"], "F second_user"],
  [["keeps_first_user", "unique_landing"], "F second_user"],
  ["account_by_unverified_email", "F account_by_email"],
  ["account_by_verified_email", "B account_by_email"],
  ["account_by_user_name", "B account_by_email"],
  [["account_by_user_name", "shows_user_name"], "B account_by_email"],
  [["account_by_unverified_email", "shows_only_sub"], "F account_by_email"],
  [["account_by_unverified_email", "shows_only_orders"], "F account_by_email"],
  [["account_by_user_name", "shows_only_sub"], "B account_by_email"],
  ["account_by_email_with_text", "B account_by_email"],
  ["account_without_sub", "C account_without_sub"],
  ["page_in_redirect", "F redirect_body"],
  ["trusts_proxy_user", "F trusted_headers"],
  ["trusts_proxy_path", "F trusted_headers"],
  ["follows_forwarded_host", "B redirect_uri_from_header"],
  ["login_at_any_issuer", "D initiate_login_iss"],
  ["public_page", "D cacheable_page"],
  ["any_origin", "D app_cors"],
  ["any_origin_of_data", "D app_cors"],
  ["token_in_data", "D secret_in_page"],
  ["staff_by_suffix", "F email_gate"],
  ["staff_by_beginning", "F email_gate"],
  ["staff_by_unverified_address", "F email_gate"],
  ["admin_by_part", "F role_from_claim"],
  ["admin_by_text", "F role_from_claim"],
  ["admin_by_lack", "F role_from_claim"],
  ["opens_all_orders", "F other_users_page"],
  ["access_token_in_page", "D secret_in_page"],
  ["refresh_token_in_page", "D secret_in_page"],
  ["client_secret_in_page", "D secret_in_page"],
  ["access_token_in_url", "D secret_in_url"],
  ["refresh_token_in_url", "D secret_in_url"],
  ["id_token_in_url", "B secret_in_url"],
];

describe("A drill of an application with accounts", () => {
  it("sees the user of a wrong userinfo response on a page", async () => {
    const { found } = await drill(["user_from_wrong_userinfo"]);
    const folded = "id_token.wrong_sub, userinfo.without_sub";
    assertEquals(found, [`C userinfo.wrong_sub, which explains ${folded}`]);
  });

  it("sees it on that of a new user, if an account keeps the name that it began with", async () => {
    const weaknesses = ["user_from_wrong_userinfo", "keeps_first_name"] as const;
    const { found } = await drill(weaknesses, { users: 12 });
    const folded = "id_token.wrong_sub, userinfo.without_sub";
    assertEquals(found, [`C userinfo.wrong_sub, which explains ${folded}`]);
    assertEquals((await drill(["keeps_first_name"])).found, []);
  });

  it("names the parameter of an open redirect, and has a flow", async () => {
    const lab = await openAccountSite(["sign_out_redirect"]);
    const application = { start: `${siteOrigin}/`, logout: `${siteOrigin}/leave` };
    const { findings: [found] } = await lab.drill(application, ["open_redirect"]);
    const received = `returnTo of ${siteOrigin}/leave with https://attacker.example/`;
    assertEquals(found?.received, received);
    assert(lab.flows().some(({ id }) => id === found?.where.flow));
    await lab.close();
  });

  it("writes another user into a cookie that has the name of one", async () => {
    const { found } = await drill(["cookie_with_name"]);
    assertEquals(found, ["F forged_session", "B old_cookie"]);
  });

  it("finds nothing wrong in one that is careful, by the URL of its home page alone", async () => {
    const skipped = [
      ...["ended_token", "other_issuer_callback", "logout_ignored", "other_users_page"],
      ...["email_gate", "role_from_claim"],
    ];
    assertEquals(await drill([]), { found: [], skipped });
    assertEquals(await drill(["reads_userinfo"]), { found: [], skipped: skipped.slice(1) });
    for (const shown of ["shows_only_sub", "shows_only_orders"] as const) {
      assertEquals((await drill([shown])).found, [], shown);
    }
    const { found, skipped: left } = await drill(["has_orders", "has_gates"]);
    assertEquals([found, left], [[], skipped.slice(0, 3)]);
  });

  it("judges mix-up if a page leads to another server with the same redirect URI", async () => {
    const { found } = await drill(["trusts_two_issuers"]);
    assertEquals(found, ["D callback.wrong_iss, which explains callback.without_iss"]);
  });

  it("judges mix-up if another server sends its responses to another redirect URI", async () => {
    const { found } = await drill(["confuses_two_callbacks"]);
    assertEquals(found, ["D other_issuer_callback"]);
    const skipped = [
      ...["ended_token", "logout_ignored", "other_users_page", "email_gate", "role_from_claim"],
    ];
    const careful = { found: [], skipped };
    assertEquals(await drill(["has_two_callbacks"]), careful);
  });

  it("judges mix-up if a client of a tenant has used the same redirect URI", async () => {
    const lab = await openAccountSite([]);
    const redirect_uri = `${siteOrigin}/callback`;
    const tenant = await lab.tenant({
      clients: [{ id: "site-there", redirectUris: [redirect_uri] }],
    });
    await testClient({ client_id: "site-there", redirect_uri }).authorize(tenant as never);
    const { findings } = await lab.drill({ start: `${siteOrigin}/` }, ["callback.without_iss"]);
    assertEquals(findings.map(nameOf), ["D callback.without_iss"]);
    await lab.close();
  });

  it("takes a name for worse where the provider gives those that are free to others", async () => {
    const options = { dialect: { traits: ["free names" as const] } };
    await using lab = await openAccountSite(["account_by_user_name"], options);
    const { findings } = await lab.drill({ start: `${siteOrigin}/` }, ["account_by_email"]);
    assertEquals(findings.map(nameOf), ["D account_by_email"]);
  });

  it("finds that a sign-out ends the session of another login of its user", async () => {
    const { found } = await drill(["ends_other_session"]);
    assertEquals(found, ["D other_session_ended"]);
  });

  it("takes two users with addresses of their own for two, though neither has a sub", async () => {
    const { found } = await drill(["account_by_unverified_email", "account_without_sub"]);
    assertEquals(found, ["F account_by_email"]);
  });

  it("takes a second login that is refused in one browser for no page of another user", async () => {
    assertEquals((await drill(["refuses_second_user"])).found, []);
    for (const landing of ["renders_at_callback", "unique_landing"] as const) {
      assertEquals((await drill(["refuses_second_user", landing])).found, [], landing);
    }
  });

  it("finds the secret in a page about a code that was refused, as it was sent", async () => {
    await using lab = await openAccountSite(["header_in_error"]);
    const tries = ["callback.foreign_code", "secret_in_page"] as const;
    const { findings } = await lab.drill({ start: `${siteOrigin}/` }, [...tries]);
    assertEquals(findings.map(nameOf), ["D secret_in_page"]);
  });

  it("does not judge a page about each user, which may be for all", async () => {
    const { found, skipped } = await drill(["opens_all_profiles"]);
    assertEquals([found, skipped.includes("other_users_page")], [[], false]);
  });

  it("takes a page that shows a user name for no account of that name", async () => {
    assertEquals((await drill(["shows_user_name"])).found, []);
  });

  it("takes the page of those who are not signed in for no account", async () => {
    assertEquals((await drill(["leads_home"])).found, []);
  });

  for (const [weaknesses, found] of planted) {
    it(`finds ${found}: ${weaknesses}`, async () => {
      assertEquals((await drill([weaknesses].flat())).found, [found]);
    });
  }
});
