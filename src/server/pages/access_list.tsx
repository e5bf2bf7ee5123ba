/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { AccessDetail, type DescribedDetail } from "./access_detail.tsx";
import { FoldedList } from "./folded_list.tsx";
import type { Language } from "./languages/languages.ts";
import { Phrase } from "./languages/phrase.tsx";

/** The access of an application: descriptions for the user, with technical names. */
export interface AccessListProps {
  /** The scopes, with their descriptions. */
  scopes: DescribedScope[];
  /** The claims that the application requests in addition to those of the scopes. */
  claims: DescribedClaim[];
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
  /** Whether the scope opens information about the user, or permits actions. */
  opens: "information" | "actions";
  /** The claims about the user that the server's configuration adds to the scope. */
  claims: DescribedClaim[];
}

/** A claim about the user, with its description. */
export interface DescribedClaim {
  /** The name of the claim. */
  name: string;
  /** The description for the user, or an empty string. */
  meaning: string;
}

interface InLanguage {
  language: Language;
}

/** Shows the access that a user is asked for, or has allowed. */
export function AccessList(props: AccessListProps & InLanguage): VNode {
  const { scopes, claims, details, resources, language } = props;
  const words = language.words.access;
  const entriesOf = (opens: DescribedScope["opens"]) =>
    scopes.filter((scope) => scope.opens === opens)
      .map((scope) => <ScopeEntry scope={scope} language={language} />);
  const information = [...entriesOf("information"), ...claims.map((each) => <Entry {...each} />)];
  const places = resources.map((resource) => <Entry name={resource} meaning="" />);
  return (
    <>
      {details.map((detail) => <AccessDetail {...detail} />)}
      <Group title={words.actions} entries={entriesOf("actions")} language={language} />
      <Group title={words.aboutYou} entries={information} language={language} />
      <Group title={words.where} entries={places} language={language} />
    </>
  );
}

interface GroupProps extends InLanguage {
  title: string;
  entries: readonly VNode[];
}

function Group({ title, entries, language }: GroupProps): VNode | null {
  if (entries.length === 0) return null;
  return (
    <section class="access">
      <h2>{title}</h2>
      <FoldedList class="scopes" entries={entries} language={language} />
    </section>
  );
}

function ScopeEntry({ scope, language }: InLanguage & { scope: DescribedScope }): VNode {
  const claims = scope.claims.map(({ name, meaning }) => meaning || name).join(", ");
  return (
    <Entry {...scope}>
      {claims && (
        <span class="includes">
          <Phrase text={language.words.access.includes} parts={{ claims: <bdi>{claims}</bdi> }} />
        </span>
      )}
    </Entry>
  );
}

/** The meaning comes first; the name is for those who know it. */
function Entry({ name, meaning, children }: DescribedClaim & { children?: ComponentChildren }) {
  return (
    <li>
      {meaning && (
        <span class="meaning">
          <bdi>{meaning}</bdi>
        </span>
      )}
      {children}
      <code dir="ltr">{name}</code>
    </li>
  );
}
