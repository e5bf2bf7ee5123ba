import applications from "./applications.json" with { type: "json" };

/** An application that people put behind a server, as its documentation says. */
export interface ListedApplication {
  name: string;
  /** Whether applications are built with it, so that users know another name. */
  isLibrary?: boolean;
  /** Of the application, its plugin or its documentation. */
  version: string;
  /** Where the documentation is. */
  source: string;
  /** Whether it ran behind `hallpass serve`, in a browser, with these settings. */
  evidence: "tried" | `not tried, read ${string}`;
  /** Whether it has no secret. */
  isPublic?: boolean;
  scope: string;
  /** The settings of its client besides name and scopes. */
  client: Readonly<Record<string, unknown>>;
  /** Where its settings are entered: a file, a page or a shell. */
  into: string;
  lines: readonly string[];
  notes: readonly string[];
}

/** An application as the file has it. */
interface ApplicationEntry extends Omit<ListedApplication, "evidence" | "notes"> {
  /** The day on which its documentation was read, unless it was tried. */
  read?: string;
  notes?: readonly string[];
  /** What makes it trust a private certificate authority. */
  trust?: string;
}

/** What stands for `{name}` in settings and lines. */
export type FilledNames = Readonly<Record<string, string | undefined>>;

/** What OpenSSL and Go read. */
const usualTrust = "SSL_CERT_FILE=FILE in the environment";

/**
 * Every application by its name on the command line. One more is an entry of the file; its test has
 * what its requests send.
 */
export const applicationsByName: ReadonlyMap<string, ListedApplication> = new Map(
  Object.entries(applications as Record<string, unknown> as Record<string, ApplicationEntry>).map(
    ([app, { read, notes = [], trust = usualTrust, ...entry }]) => [app, {
      ...entry,
      evidence: read === undefined ? "tried" : `not tried, read ${read}`,
      notes: [...notes, `For a private certificate authority: ${trust}`],
    }],
  ),
);

/** Fills in names in braces. Other braces are part of the settings. */
export function fillIn(text: string, names: FilledNames): string {
  return text.replace(/\{([a-z_]+)\}/g, (braces, name) => names[name] ?? braces);
}

/** Returns whether settings or lines need the address of the application. */
export function needsUrl({ client, lines }: ListedApplication): boolean {
  return JSON.stringify([client, lines]).includes("{url}");
}
