// What a finding says that cannot be so, by how the application by hand is built.
import type { Finding } from "../../../src/lab/findings/finding.ts";
import type { SitePlan } from "../broken/open_site.ts";

/** Words of a finding, with what denies them. */
interface Denial {
  words: RegExp;
  isDenied(finding: Finding, plan: SitePlan, seen: Seen): boolean;
}

/** What a drill saw besides. */
interface Seen {
  /** The faults whose variants the application refused. */
  refused: readonly string[];
}

const denials: readonly Denial[] = [
  {
    words: /\bscript in a page reads\b/i,
    isDenied: ({ received = "" }) => !received.includes("without HttpOnly"),
  },
  {
    words: /\bother sites cause\b/,
    isDenied: ({ received = "" }) => !/SameSite/.test(received),
  },
  {
    words: /^Browsers send the session\b/,
    isDenied: ({ received = "" }) => !received.includes("with SameSite=None"),
  },
  {
    words: /\bis given the address\b/,
    isDenied: ({ received = "" }) => !/\baddress\b/.test(received),
  },
  {
    words: /\bis given the name\b/,
    isDenied: ({ received = "" }) => !/\bname\b/.test(received),
  },
  {
    // What users cannot do is about what their provider does.
    words: /\b(?:[Aa]nother|one|other) (?:provider|server|issuer|tenant|connection)\b/,
    isDenied: ({ kind }, { configuration = {}, lab = {} }) =>
      kind === "security" && !configuration.otherIssuer && !configuration.otherCallback &&
      !("dialect" in lab),
  },
  {
    words: /\b(?:Anyone|anyone)\b/,
    isDenied: ({ id, grade }, { configuration = {} }) =>
      id === "id_token.hs256_with_secret" && configuration.client !== "none" ||
      grade === "F" && /^(?:id_token|userinfo|token|refresh|metadata|jwks)\./.test(id),
  },
  {
    words: /\bAnyone can do this\b/,
    isDenied: ({ grade }) => grade !== "F",
  },
  {
    words: /\bPKCE or the nonce stops\b/,
    isDenied: (_, { configuration = {} }) =>
      configuration.pkce === false && configuration.nonce === false,
  },
  {
    words: /\bstolen code\b|\bcode that was stolen\b/i,
    isDenied: (_, _plan, { refused }) => refused.includes("callback.foreign_code"),
  },
];

/** Returns what findings say that the application denies: the id, and the words. */
export function deniedGains(
  findings: readonly Finding[],
  plan: SitePlan,
  seen: Seen,
): string[] {
  const all = findings.flatMap((each) => [each, ...each.folded ?? []]);
  return all.flatMap((finding) => {
    const { id, grade, gain = "", sender = "" } = finding;
    // A C says what would make it an attack, which is no gain.
    const text = grade === "C" ? gain : `${gain} ${sender}`;
    return denials.flatMap(({ words, isDenied }) => {
      const [said] = words.exec(text) ?? [];
      return said !== undefined && isDenied(finding, plan, seen) ? [`${id}: ${said}`] : [];
    });
  });
}
