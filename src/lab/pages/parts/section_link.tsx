/** @jsxImportSource preact */
import type { VNode } from "preact";

/** Where the specifications are published that our rules cite. */
const publishers: ReadonlyArray<readonly [cited: RegExp, url: (match: RegExpExecArray) => string]> =
  [
    [
      /^RFC (\d+), section ([\d.]+)$/,
      ([, number, section]) =>
        `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
    ],
    [/^RFC (\d+)/, ([, number]) => `https://www.rfc-editor.org/rfc/rfc${number}.html`],
    [
      /^OAuth 2\.1, section ([\d.]+)$/,
      ([, section]) =>
        `https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-16#section-${section}`,
    ],
    [
      /^(draft-[a-z0-9-]+), section ([\d.]+)$/,
      ([, draft, section]) => `https://datatracker.ietf.org/doc/html/${draft}#section-${section}`,
    ],
    [/^OpenID Connect Core/, () => "https://openid.net/specs/openid-connect-core-1_0.html"],
    [
      /^OpenID Connect Back-Channel Logout/,
      () => "https://openid.net/specs/openid-connect-backchannel-1_0.html",
    ],
    [
      /^OpenID Connect RP-Initiated Logout/,
      () => "https://openid.net/specs/openid-connect-rpinitiated-1_0.html",
    ],
    [/^JARM/, () => "https://openid.net/specs/oauth-v2-jarm.html"],
    // Anyone may have written the file of a preset: only addresses of the web become links.
    [/^https?:\/\/\S+$/, ([url]) => url],
  ];

/** A section of a specification, or an address, with a link where one is known. */
export function SectionLink({ see }: { see: string }): VNode {
  const url = urlOf(see);
  return url === undefined ? <>{see}</> : <a href={url} rel="noreferrer">{see}</a>;
}

function urlOf(see: string): string | undefined {
  for (const [cited, url] of publishers) {
    const match = cited.exec(see);
    if (match) return url(match);
  }
  return undefined;
}
