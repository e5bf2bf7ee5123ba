/** @jsxImportSource preact */
import type { DescribedField } from "../protocol/authorization_details.ts";

/** What a person allows an application, or has allowed it: exactly what it says, in the words of the protocol and in plain ones. */
export interface AllowedProps {
  /** The scopes, with what they mean to the user. */
  scopes: Array<{ name: string; meaning: string }>;
  /** What is asked for by name, beyond the scopes. */
  claims: string[];
  /** What is asked for in detail (RFC 9396). */
  details: Array<{ type: string; meaning: string; members: DescribedField[] }>;
  /** The resources that the access token is for. */
  resources: string[];
}

export function Allowed({ scopes, claims, details, resources }: AllowedProps) {
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
          {scopes.map(({ name, meaning }) => (
            <li>
              <code>{name}</code>
              {meaning && <span>{meaning}</span>}
            </li>
          ))}
        </ul>
      )}
      <Detail title="And to see about you" entries={claims} />
      <Detail title="To be used at" entries={resources} />
    </>
  );
}

function Detail({ title, entries }: { title: string; entries: string[] }) {
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

/** A path of members may go on in the next line after a point, and nowhere else. */
function breakable(name: string) {
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
