/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { AccessDetail, type DescribedDetail } from "./access_detail.tsx";
import type { Language } from "./languages/languages.ts";
import { formatNumber, Phrase } from "./languages/phrases.tsx";

/** How many entries are shown; the rest is folded. */
const maxShown = 10;

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
export function AccessList(
  props: AccessListProps & InLanguage & { choices?: readonly string[]; form?: string },
): VNode {
  const { scopes, claims, details, resources, language, choices = [], form } = props;
  const words = language.words.access;
  const shared = { language, hasChoices: choices.length > 0 };
  const boxFor = (name: string) => (
    <Box
      name={name}
      form={form}
      isFixed={!choices.includes(name)}
    />
  );
  const boxOf = (name: string) => shared.hasChoices ? boxFor(name) : undefined;
  const entriesOf = (opens: DescribedScope["opens"]) =>
    scopes.filter((scope) => scope.opens === opens)
      .map((scope) => <ScopeEntry scope={scope} language={language} box={boxOf(scope.name)} />);
  const information = [
    ...entriesOf("information"),
    ...claims.map((each) => <Entry {...each} box={boxOf("")} />),
  ];
  const places = resources.map((resource) => <Entry name={resource} meaning="" />);
  return (
    <>
      {details.map((detail) => <AccessDetail {...detail} />)}
      <Group title={words.actions} entries={entriesOf("actions")} {...shared} />
      <Group title={words.aboutYou} entries={information} {...shared} />
      <Group title={words.where} entries={places} language={language} />
    </>
  );
}

/** Shows permissions that a user allowed before, and is not asked for again. */
export function AllowedBeforeList(
  { scopes, claims, language }: Pick<AccessListProps, "scopes" | "claims"> & InLanguage,
): VNode | null {
  const entries = [
    ...scopes.map((scope) => <ScopeEntry scope={scope} language={language} />),
    ...claims.map((each) => <Entry {...each} />),
  ];
  return <Group title={language.words.access.before} entries={entries} language={language} />;
}

/** A list with choices is not folded: the user sees what is ticked. */
function Group({ title, entries, language, hasChoices }: InLanguage & {
  title: string;
  entries: readonly VNode[];
  hasChoices?: boolean;
}): VNode | null {
  if (entries.length === 0) return null;
  return (
    <section class="access">
      <h2>{title}</h2>
      {hasChoices
        ? <ul class="scopes choosable">{entries}</ul>
        : <FoldedList class="scopes" entries={entries} language={language} />}
    </section>
  );
}

/** The checkbox of a permission. It stays ticked if the permission cannot be refused by itself. */
function Box(
  { name, form, isFixed }: { name: string; form: string | undefined; isFixed: boolean },
): VNode {
  if (isFixed) return <input type="checkbox" checked disabled />;
  return <input type="checkbox" name="scope" value={name} form={form} checked />;
}

function ScopeEntry({ scope, language, box }: InLanguage & {
  scope: DescribedScope;
  box?: VNode | undefined;
}): VNode {
  const claims = scope.claims.map(({ name, meaning }) => meaning || name).join(", ");
  return (
    <Entry {...scope} box={box}>
      {claims && (
        <span class="includes">
          <Phrase text={language.words.access.includes} parts={{ claims: <bdi>{claims}</bdi> }} />
        </span>
      )}
    </Entry>
  );
}

/** The meaning comes first; the name is for those who know it. */
function Entry({ name, meaning, box, children }: DescribedClaim & {
  box?: VNode | undefined;
  children?: ComponentChildren;
}): VNode {
  const text = (
    <>
      {meaning && (
        <span class="meaning">
          <bdi>{meaning}</bdi>
        </span>
      )}
      {children}
      <code dir="ltr">{name}</code>
    </>
  );
  if (!box) return <li>{text}</li>;
  return (
    <li>
      <label>
        {box}
        <span class="permission">{text}</span>
      </label>
    </li>
  );
}

/** Shows the first entries of a list, and the others when they are asked for. */
export function FoldedList({ class: name, entries, language }: {
  class: string;
  entries: readonly VNode[];
  language: Language;
}): VNode {
  const folded = entries.slice(maxShown);
  const count = formatNumber(language, folded.length);
  return (
    <>
      <ul class={name}>{entries.slice(0, maxShown)}</ul>
      {folded.length > 0 && (
        <details>
          <summary>
            <Phrase text={language.words.access.more} parts={{ count }} />
          </summary>
          <ul class={name}>{folded}</ul>
        </details>
      )}
    </>
  );
}
