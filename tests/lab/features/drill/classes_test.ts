import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { loginChecks } from "../../../../src/lab/features/drill/compare_logins.ts";
import { sessionChecks } from "../../../../src/lab/features/drill/session_checks.ts";
import { classOf } from "../../../../src/lab/features/drill/variants/attack_advice.ts";
import {
  loginVariantsFor,
  mcpVariantsFor,
} from "../../../../src/lab/features/drill/variants/variants.ts";
import { gradeMistake, type RowClass, type SeenFact } from "../../../../src/lab/findings/grade.ts";

const alg = "ECDH-ES";
const encrypted = { idTokenEncryptionAlg: alg, userinfoEncryptionAlg: alg };
const client = { id: "client", idJag: {}, ...encrypted } as never;

/** Whether a sentence has the words of an F. */
const isOfAnyone = ({ gain = "", cases = [] }: RowClass) =>
  [gain, ...cases.map((each) => each.gain)].some((each) => /\banyone\b/i.test(each));

const rows: ReadonlyMap<string, RowClass> = new Map<string, RowClass>([
  ...sessionChecks.map((each) => [each.id, each] as const),
  ...loginChecks.map((each) => [each.id, each] as const),
  ...loginVariantsFor([client]).map((each) => [each.fault, classOf(each)] as const),
]);
const mcpRows: ReadonlyMap<string, RowClass> = new Map(
  mcpVariantsFor([client]).map((each) => [each.fault, classOf(each)]),
);

const several: SeenFact[] = ["several issuers"];
const mixed: SeenFact[] = [...several, "with one redirect URI for several issuers"];
const inBrowser: SeenFact[] = ["id_token in the browser"];
const stolen: SeenFact[] = ["accepts callback.foreign_code"];
const tied: SeenFact[] = ["refuses callback.foreign_code"];
const unread: SeenFact[] = ["accepts token.without_id_token", "PKCE", ...tied];

const ofIss = ["wrong_iss", "without_iss", "containing_iss", "part_of_iss", "listed_iss"]
  .map((each) => `id_token.${each}`).join(" ");

/** One line: what was seen, and the grades of the rows; `-` is a note. */
type Line = readonly [grade: string, rows: string, seen?: readonly SeenFact[]];

/** Each line of the table of rows of applications. */
const lines: readonly Line[] = [
  ["F", "callback.unsolicited"],
  ["B", "callback.wrong_state callback.without_state", ["refuses callback.unsolicited"]],
  ["B", "callback.wrong_state callback.without_state", tied],
  ["F", "callback.wrong_state callback.without_state", ["accepts callback.unsolicited"]],
  ["D", "callback.wrong_state callback.without_state"],
  ["D", "callback.foreign_code"],
  ["F", "callback.fixated_session"],
  ["D", "callback.other_redirect_uri"],
  ["-", "callback.wrong_iss callback.without_iss callback.iss_with_slash"],
  ["D", "callback.wrong_iss callback.without_iss callback.iss_with_slash", mixed],
  ["D", "other_issuer_callback", [...several, "accepts callback.wrong_iss"]],
  ["B", "other_issuer_callback", several],
  ["F", "callback.denied"],
  ["C", "jarm.alg_none jarm.foreign_signature jarm.expired jarm.wrong_aud jarm.wrong_iss", tied],
  ["C", "jarm.without_iss jarm.without_aud jarm.without_exp", tied],
  ["D", "jarm.alg_none jarm.expired", stolen],
  ["F", "jarm.alg_none jarm.expired", [...stolen, "accepts callback.unsolicited"]],
  ["D", "jarm.wrong_iss", several],
  ["C", "metadata.wrong_issuer"],
  ["D", "metadata.wrong_issuer", several],
  ["C", "token.token_type_in_other_case token.without_scope token.without_expires_in"],
  ["C", "metadata.mtls_endpoint_aliases id_token.aud_in_array id_token.aggregated_claims"],
  ["C", "id_token.without_at_hash userinfo.aggregated_claims userinfo.distributed_claims"],
  ["C", "refresh.not_rotated second_refresh new_key"],
  ["B", "jwks.single_without_kid keys-fetched-each-time"],
  ["B", "token.held token.lost refresh.held refresh.lost register.forgotten"],
  ["-", "token.wrong_token_type id_token.foreign_azp id_token.hs256_with_secret"],
  ["C", "token.malformed_json token.bearer_for_dpop"],
  ["B", "token.without_id_token", ["PKCE"]],
  ["C", "token.without_id_token"],
  ["C", "userinfo.wrong_sub userinfo.without_sub userinfo.wrong_iss id_token.wrong_sub"],
  ["C", "userinfo.wrong_aud userinfo.alg_none userinfo.encrypted_unsigned"],
  ["B", "userinfo.foreign_signature"],
  ["D", "userinfo.wrong_sub userinfo.without_sub id_token.wrong_sub", ["userinfo in the browser"]],
  ["C", ofIss],
  ["C", ofIss, inBrowser],
  ["D", ofIss, several],
  ["D", ofIss, ["shared keys"]],
  ["C", "id_token.wrong_aud id_token.without_aud id_token.expired id_token.without_exp"],
  ["D", "id_token.wrong_aud id_token.without_aud id_token.expired id_token.without_exp", inBrowser],
  ["C", "id_token.containing_aud id_token.part_of_aud"],
  ["D", "id_token.containing_aud id_token.part_of_aud", inBrowser],
  ["C", "id_token.alg_none id_token.hs256_with_public_key id_token.foreign_signature"],
  ["C", "id_token.with_jwk id_token.with_jku id_token.with_x5c"],
  ["F", "id_token.alg_none id_token.hs256_with_public_key id_token.foreign_signature", inBrowser],
  ["F", "id_token.with_jwk id_token.with_jku id_token.with_x5c", inBrowser],
  ["C", "id_token.wrong_nonce id_token.without_nonce", tied],
  ["D", "id_token.wrong_nonce id_token.without_nonce", stolen],
  ["D", "id_token.wrong_nonce id_token.without_nonce", inBrowser],
  ["B", "id_token.wrong_iss id_token.expired id_token.foreign_signature", unread],
  ["B", "id_token.old_auth_time"],
  ["D", "request.stripped"],
  ["-", "refresh.wrong_iss refresh.wrong_sub refresh.wrong_aud"],
  ["D", "logout_token.alg_none logout_token.hs256_with_public_key logout_token.wrong_aud"],
  ["D", "logout_token.foreign_signature logout_token.id_token"],
  ["C", "logout_token.wrong_iss logout_token.expired logout_token.without_sub_and_sid"],
  ["D", "logout_token.wrong_iss", ["shared keys"]],
  ["C", "logout_token.without_events logout_token.wrong_event logout_token.with_nonce"],
  [
    "D",
    "logout_token.without_events logout_token.wrong_event logout_token.with_nonce",
    ["accepts logout_token.id_token"],
  ],
  ["D", "same_session session_survives other_session_ended logout_ignored"],
  ["B", "old_cookie code_in_url server_session"],
  ["B", "cookie_flags", ["without HttpOnly"]],
  ["D", "open_redirect"],
  ["F", "open_redirect", ["with a code or a token"]],
  ["F", "error_markup"],
  ["D", "error_markup", ["with a policy that stops scripts"]],
  ["F", "second_user forged_session guessable_session unfinished_login path_spelling"],
  ["F", "redirect_body trusted_headers other_users_page email_gate role_from_claim"],
  ["D", "cacheable_page app_cors initiate_login_iss"],
  ["F", "app_cors", ["with SameSite=None"]],
  ["B", "redirect_uri_from_header"],
  ["F", "claim_markup"],
  ["D", "claim_markup", ["with a policy that stops scripts"]],
  ["F", "account_by_email", ["with an unverified address"]],
  ["B", "account_by_email", ["with a verified address"]],
  ["D", "account_by_email", ["with a verified address", ...several]],
  ["B", "account_by_email", ["with a user name"]],
  ["D", "account_by_email", ["with a user name", "free names"]],
  ["C", "account_without_sub"],
  ["F", "state-reused", ["accepts callback.unsolicited"]],
  ["B", "state-reused", ["refuses callback.unsolicited"]],
  ["D", "nonce-reused challenge-reused", stolen],
  ["C", "nonce-reused challenge-reused", tied],
  ["D", "challenge-missing"],
  ["F", "challenge-missing", ["without a state"]],
  ["D", "token-in-uri secret_in_url"],
  ["C", "id_token.encrypted_unsigned id_token.wrong_encryption_alg id_token.wrong_encryption_enc"],
  ["C", "id_token.encrypted_for_other_key"],
  ["F", "id_token.encrypted_unsigned", inBrowser],
  ["D", "secret_in_page", ["with a refresh_token"]],
  ["D", "secret_in_page", ["with an access_token", "with a client that authenticates"]],
  ["B", "secret_in_page", ["with an access_token"]],
  ["B", "denied_loop ended_token refresh.invalid_grant"],
  ["-", "id_token.without_sub id_token.second_aud id_token.wrong_azp"],
  ["D", "metadata.foreign_token_endpoint", several],
  ["B", "metadata.foreign_token_endpoint"],
];

/** Each line of the table of clients of an MCP server, to which any server can be added. */
const mcpLines: readonly Line[] = [
  ["F", "callback.wrong_iss callback.without_iss", ["added servers"]],
  ["D", "callback.wrong_state callback.iss_with_slash metadata.wrong_issuer", ["added servers"]],
  ["D", "resource_metadata.wrong_resource metadata.without_pkce", ["added servers"]],
  ["C", "metadata.only_oauth metadata.only_openid register.application_type", ["added servers"]],
  ["B", "mcp.endless_step_up mcp.unlisted_scope", ["added servers"]],
];

/** What the table names, and no row tries yet. Whoever adds one adds its line. */
const unbuilt = ["pkce_given_up", "provider_redirect", "email_verified_type"];

describe("The grade of a finding in the drill of an application", () => {
  for (const [table, all] of [[lines, rows], [mcpLines, mcpRows]] as const) {
    for (const [grade, ids, seen = []] of table) {
      it(`is ${grade} for ${ids}, ${seen.join(", ") || "as in a code flow of one issuer"}`, () => {
        for (const id of ids.split(" ")) {
          const row = all.get(id);
          assertEquals([id, row && (gradeMistake(row, seen).grade ?? "-")], [id, grade]);
        }
      });
    }
  }

  it("is that of the rule for a row without a line", () => {
    const grades = (["must", "should", "may"] as const).map((rule) => gradeMistake({ rule }).grade);
    assertEquals(grades, ["C", "B", undefined]);
    assertEquals(unbuilt.filter((id) => rows.has(id)), []);
  });

  it("says in one sentence that anyone can do it, which only an F has", () => {
    const all = [...rows, ...mcpRows].filter(([, row]) => isOfAnyone(row));
    assertEquals(all.map(([id]) => id), []);
  });

  it("has a line for each row that may be a finding", () => {
    const named = [...lines, ...mcpLines].flatMap(([, ids]) => ids.split(" "));
    const missing = [...rows.keys()].filter((id) => !named.includes(id));
    assertEquals(missing.filter((id) => rows.get(id)?.rule !== "may"), []);
  });
});
