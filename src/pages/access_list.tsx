/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DescribedField } from "../protocol/authorization_details.ts";

/** The access of an application: technical names, with descriptions for the user. */
export interface AccessListProps {
  /** The scopes, with their descriptions. */
  scopes: DescribedScope[];
  /** The claims that the application requests in addition to those of the scopes. */
  claims: string[];
  /** The authorization details (RFC 9396). */
  details: DescribedDetail[];
  /** The resources that the access token is for. */
  resources: string[];
}

/** A scope, with its description. */
export interface DescribedScope {
  /** The scope token. */
  name: string;
  /** The description for the user, or an empty string. */
  meaning: string;
  /** The claims about the user that the server's configuration adds to the scope. */
  claims: string[];
}

/** One authorization detail (RFC 9396), with its description. */
export interface DescribedDetail {
  /** The type of the detail. */
  type: string;
  /** The description for the user, or an empty string. */
  meaning: string;
  /** The other members. */
  members: DescribedField[];
}

/** Shows the access that a user is asked for, or has allowed. */
export function AccessList({ scopes, claims, details, resources }: AccessListProps): VNode {
  return (
    <>
      {details.map(({ type, meaning, members }) => (
        <div class="detail">
          <h2>{meaning}</h2>
          <dl class="members" title={type}>
            {members.map(({ name, values }) => (
              <div>
                <dt>
                  <code>{withLineBreaks(name)}</code>
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
      <AccessSection title="Information about you" entries={claims} />
      <AccessSection title="Where it applies" entries={resources} />
    </>
  );
}

function AccessSection({ title, entries }: { title: string; entries: string[] }): VNode | null {
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

/** Lets the browser break the path of a member after a dot only. */
function withLineBreaks(name: string): VNode {
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
