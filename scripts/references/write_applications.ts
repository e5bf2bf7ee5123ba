/** Writes the document about applications that people put behind a server, from their entries. */
import { capital, code } from "./markdown.ts";
import { moduleOf } from "./module_of.ts";

type Applications = typeof import("../../src/program/features/applications/application.ts");
type ListedApplication =
  import("../../src/program/features/applications/application.ts").ListedApplication;

const folder = "program/features/applications";

const introduction = `# Applications

This page is generated (\`deno task generate\`) from [applications.json](../src/${folder}/applications.json), to which an application adds an entry. It has what to enter in an application whose users sign in at [\`hallpass serve\`](RUNNING.md). One command makes the client, and prints these lines ready to paste:

\`\`\`sh
hallpass client add grafana --app grafana --url https://grafana.example.org
\`\`\`

It replaces \`ISSUER\`, the address of Hallpass; \`URL\`, that of the application; \`SECRET\` and \`RANDOM\`. After the name of each application are its version, with a link to its documentation, its redirect URIs, and its other settings. A client has a secret unless its chapter says otherwise. Other options add to what is known or replace it: \`--group staff\` for members of a group alone, \`--redirect-uri\` for another address. If a sign-in fails, \`hallpass doctor --client grafana --log-file LOG\` says why. [A test](../tests/${folder}/applications_test.ts) sends the requests of each one. Nobody who makes these applications made or endorses this.`;

/** What each kind of evidence means, in the order of the chapters. */
const chapters = {
  "tried": `## Tried

These ran behind \`hallpass serve\` in a browser. \`deno task applications\` does that again for those that a registry has.`,
  "by documentation": `## By documentation

As the documentation or source was read in November 2026; tell us what you tried.`,
};

/** Returns the document by its file; without the feature, there is none. */
export async function applicationFiles(): Promise<Record<string, string>> {
  const { applicationsByName, fillIn } = await moduleOf<Applications>(`${folder}/application.ts`);
  if (!applicationsByName || !fillIn) return {};
  const parts = Object.entries(chapters).flatMap(([kind, heading]) => [
    heading,
    ...[...applicationsByName].filter(([, { evidence }]) => evidence === kind)
      .map(([app, application]) => sectionOf(app, application, fillIn)),
  ]);
  return { ".github/APPLICATIONS.md": `${[introduction, ...parts].join("\n\n")}\n` };
}

function sectionOf(
  app: string,
  application: ListedApplication,
  fillIn: Applications["fillIn"],
): string {
  const { name, version, source, client, into, lines, notes = [] } = application;
  const names = {
    ...{ id: app, issuer: "ISSUER", url: "URL", secret: "SECRET", random: "RANDOM" },
    ...{ scope: application.scope, metadata: "ISSUER/.well-known/openid-configuration" },
    authorization_endpoint: "ISSUER/oauth2/authorize",
    token_endpoint: "ISSUER/oauth2/token",
    userinfo_endpoint: "ISSUER/oauth2/userinfo",
    end_session_endpoint: "ISSUER/oauth2/logout",
    jwks_uri: "ISSUER/oauth2/jwks",
  };
  const filled = (text: string) => fillIn(text, names);
  const settings = Object.entries(client).map(([setting, value]) =>
    `${setting === "redirectUris" ? "" : `${setting} `}${
      [value].flat().map((each) => code(filled(String(each)))).join(" and ")
    }`
  );
  const kind = application.isPublic ? "a public client, " : "";
  return [
    `### ${name}`,
    `\`--app ${app}\` ([${version}](${source})): ${kind}${settings.join(", ")}. ${capital(into)}:`,
    ["```", ...lines.map(filled), "```"].join("\n"),
    ...notes.map(filled),
  ].join("\n\n");
}
