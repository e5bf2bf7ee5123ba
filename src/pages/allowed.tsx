/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DescribedField } from "../protocol/authorization_details.ts";

/** What a user allows an application, in the words of the protocol and in plain ones. */
export interface AllowedProps {
  /** The scopes, with what they mean to the user. */
  scopes: DescribedScope[];
  /** The claims beside those of the scopes. */
  claims: string[];
  /** The authorization details (RFC 9396). */
  details: DescribedDetail[];
  /** The resources that the access token is for. */
  resources: string[];
}

/** A scope, and what it means to the user. */
export interface DescribedScope {
  /** The scope token. */
  name: string;
  /** What it means, or an empty string. */
  meaning: string;
  /** The claims about the user that the server's configuration adds to the scope. */
  claims: string[];
}

/** One authorization detail (RFC 9396), and what it means to the user. */
export interface DescribedDetail {
  /** The type of the detail. */
  type: string;
  /** What it means, or an empty string. */
  meaning: string;
  /** The other members. */
  members: DescribedField[];
}

/** Shows what a user allows. */
export function Allowed({ scopes, claims, details, resources }: AllowedProps): VNode {
  return (
    <>
      {details.map(({ type, meaning, members }) => (
        <div class="detail">
          <h2>{meaning}</h2>
          <dl class="members" title={type}>
            {members.map(({ name, values }) => (
              <div>
                <dt>
                  <code>{breakable(name)}</code>
                </dt>
                {values.map((value) => <dd>{value}</dd>)}
              </div>
            ))}
          </dl>
        </div>
      ))}
      {scopes.length > 0 && (
        <ul class="scopes">
          {scopes.map(({ name, meaning, claims }) => (
            <li>
              <code>{name}</code>
              {meaning && <span>{meaning}</span>}
              {claims.length > 0 && <span>Information about you: {claims.join(", ")}</span>}
            </li>
          ))}
        </ul>
      )}
      <Detail title="Information about you" entries={claims} />
      <Detail title="Where it applies" entries={resources} />
    </>
  );
}

function Detail({ title, entries }: { title: string; entries: string[] }): VNode | null {
  if (entries.length === 0) return null;
  return (
    <div class="detail">
      <h2>{title}</h2>
      <ul>
        {entries.map((entry) => (
          <li>
            <code>{entry}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A path of members may break after a point, and nowhere else. */
function breakable(name: string): VNode {
  const [first, ...others] = name.split(".");
  return (
    <>
      {first}
      {others.map((part) => (
        <>
          .<wbr />
          {part}
        </>
      ))}
    </>
  );
}
