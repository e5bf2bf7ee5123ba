/** Writes the document about applications that people put behind a server, from their entries. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { code, table } from "./markdown.ts";

type Applications = typeof import("../../src/program/features/applications/application.ts");
type ListedApplication =
  import("../../src/program/features/applications/application.ts").ListedApplication;

const folder = "src/program/features/applications";

const introduction = `# Applications

This page is generated (\`deno task generate\`) from [applications.json](../${folder}/applications.json), to which an application adds an entry. How to connect an application to [\`hallpass serve\`](RUNNING.md). One command makes its client, and prints these lines with your addresses and the secret, ready to paste. A client has a secret unless its chapter says otherwise.

\`\`\`sh
hallpass client add grafana --app grafana --url https://grafana.example.org
\`\`\`

\`hallpass client add --app\` lists the applications. Other options add to what is known or replace it: \`--group staff\` for members of a group alone, \`--redirect-uri\` for an address of your own. If a sign-in fails, \`hallpass doctor --client grafana --log-file LOG\` says why.

**Tried** means that the application ran behind \`hallpass serve\` in a browser: \`deno task applications\` does that again for those that a registry has. All others are by their documentation or source, as it was read in November 2026; tell us what you tried. [A test](../tests/program/${
  folder.slice("src/program/".length)
}/applications_test.ts) sends the requests of each one. Nobody who makes these applications made or endorses this.`;

/** Returns the document by its file; without the feature, there is none. */
export async function applicationFiles(): Promise<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const file = pathToFileURL(resolve(folder, "application.ts")).href;
  const { applicationsByName, fillIn }: Applications = await import(file);
  const all = [...applicationsByName];
  const rows = [...Map.groupBy(all, ([, { evidence }]) => evidence)].map(([evidence, entries]) => [
    evidence,
    entries.map(([, { name, version }]) => `[${name}](#${anchorOf(name)}) ${version}`).join(" · "),
  ]);
  const sections = all.map(([app, application]) => sectionOf(app, application, fillIn));
  const parts = [
    introduction,
    table(["Evidence", "Applications, with version or date"], rows),
    ...sections,
  ];
  return { ".github/APPLICATIONS.md": `${parts.join("\n\n")}\n` };
}

function sectionOf(
  app: string,
  application: ListedApplication,
  fillIn: Applications["fillIn"],
): string {
  const { name, evidence, source, client, into, lines, notes = [] } = application;
  const issuer = "https://id.example.org";
  const names = {
    ...{ id: app, issuer, url: `https://${app}.example.org`, secret: "SECRET", random: "RANDOM" },
    ...{ scope: application.scope, metadata: `${issuer}/.well-known/openid-configuration` },
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    end_session_endpoint: `${issuer}/oauth2/logout`,
    jwks_uri: `${issuer}/oauth2/jwks`,
  };
  const filled = (text: string) => fillIn(text, names);
  const settings = Object.entries(client).map(([setting, value]) =>
    `${setting} ${[value].flat().map((each) => code(filled(String(each)))).join(" and ")}`
  );
  return [
    `## ${name}`,
    `\`--app ${app}\`, ${evidence} ([source](${source})): ${
      application.isPublic ? "a public client, " : ""
    }${settings.join(", ")}.`,
    `Enter ${into}:`,
    ["```", ...lines.map(filled), "```"].join("\n"),
    ...notes.map(filled),
  ].join("\n\n");
}

/** Returns where GitHub leads to a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\w -]/g, "").replaceAll(" ", "-");
}
