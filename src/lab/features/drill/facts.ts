import type { ClientConfig } from "../../../server/features.ts";
import type { SeenFact } from "../../findings/grade.ts";
import { type Exchange, parameterOf } from "../../recording/exchange.ts";
import type { CheckedApplication } from "./application_login.ts";
import type { PageWatch } from "./page_watch.ts";
import type { ReadCheck } from "./session_check.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

/** What a drill saw of an application. */
export interface SeenApplication {
  outcomes: readonly DrillOutcome[];
  /** What its session shows. */
  checks: readonly ReadCheck[];
  logins: ReadonlyArray<readonly Exchange[]>;
  /** The application and what its pages gave away, if the drill visits one. */
  application: CheckedApplication | undefined;
  pages: PageWatch | undefined;
  client: ClientConfig | undefined;
  /** What was known before the drill. */
  known: readonly SeenFact[];
}

/** Returns what was seen that decides who can use a mistake: channels, issuers, and what is refused. */
export function factsOf(seen: SeenApplication): SeenFact[] {
  const { outcomes, checks, client, known } = seen;
  const valuesOf = (name: string) =>
    seen.logins.flat().flatMap(({ request }) => parameterOf(request, name) ?? []);
  const types = valuesOf("response_type").flatMap((each) => each.split(" "));
  const redirectUris = valuesOf("redirect_uri");
  const others = [...seen.pages?.otherRedirectUris() ?? []];
  const { severalIssuers, start } = seen.application ?? {};
  const isShared = severalIssuers ?? others.some((each) => redirectUris.includes(each));
  const isOwn = (uri: string) => start !== undefined && isSameOrigin(uri, start);
  return [
    ...known,
    ...isShared || others.some(isOwn) ? ["several issuers"] as const : [],
    ...isShared ? ["with one redirect URI for several issuers"] as const : [],
    ...types.includes("id_token") ? ["id_token in the browser"] as const : [],
    ...types.includes("token") ? ["userinfo in the browser"] as const : [],
    ...valuesOf("code_challenge").some(Boolean) ? ["PKCE"] as const : [],
    ...client?.secret === undefined ? [] : ["with a client that authenticates"] as const,
    ...outcomes.flatMap(({ fault, outcome }): SeenFact[] => {
      if (outcome === "refused") return [`refuses ${fault}`];
      return outcome === "accepted" || outcome === "tolerated" ? [`accepts ${fault}`] : [];
    }),
    ...checks.flatMap(({ check: { id }, reading: { wrong = [], skipped } }): SeenFact[] =>
      skipped === undefined ? [`${wrong.length > 0 ? "accepts" : "refuses"} ${id}`] : []
    ),
  ];
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}
