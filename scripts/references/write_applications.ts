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
hallpass client add grafana --app grafana --url https://grafana.example.org --name Grafana
\`\`\`

It replaces \`ISSUER\`, the address of Hallpass; \`URL\`, that of the application; \`SECRET\` and \`RANDOM\`. After the command of each application are its version, with a link to its documentation, its redirect URIs, and its other settings. Users see \`NAME\` where they sign in. FILE has the certificate of a [private authority](RUNNING.md#get-a-certificate-on-a-lan); \`SSL_CERT_FILE\` and \`REQUESTS_CA_BUNDLE\` replace the public ones, so let them name \`/etc/ssl/certs/ca-certificates.crt\` after \`update-ca-certificates\`. A client has a secret unless its chapter says otherwise. Other options add to what is known or replace it: \`--group staff\` for members of a group alone, \`--redirect-uri\` for another address. If a sign-in fails, \`hallpass doctor --client grafana --log-file LOG\` says why. [A test](../tests/${folder}/applications_test.ts) sends the requests of each one. Nobody who makes these applications made or endorses this.`;

const tried = `## Tried

These ran behind \`hallpass serve\` in a browser. \`deno task applications\` does that again for those that a registry has.`;

const read = `## By documentation

These were not run. Each entry names the version and the day of what was read; tell us what you tried.`;

/** Returns the document by its file; without the feature, there is none. */
export async function applicationFiles(): Promise<Record<string, string>> {
  const module = await moduleOf<Applications>(`${folder}/application.ts`);
  const { applicationsByName } = module;
  if (!applicationsByName) return {};
  const sections = (isTried: boolean) =>
    [...applicationsByName]
      .filter(([, { evidence }]) => (evidence === "tried") === isTried)
      .map(([app, application]) => sectionOf(app, application, module as Applications));
  const parts = [introduction, tried, ...sections(true), read, ...sections(false)];
  return { ".github/APPLICATIONS.md": `${parts.join("\n\n")}\n` };
}

function sectionOf(
  app: string,
  application: ListedApplication,
  { fillIn, needsUrl }: Applications,
): string {
  const { name, isLibrary, version, source, evidence, client, into, lines, notes } = application;
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
  const shown = isLibrary ? "NAME" : name.includes(" ") ? `"${name}"` : name;
  const url = needsUrl(application) ? " --url URL" : "";
  return [
    `### ${name}`,
    `\`\`\`sh\nhallpass client add ${app} --app ${app}${url} --name ${shown}\n\`\`\``,
    `[${version}](${source}), ${evidence}: ${kind}${settings.join(", ")}. ${capital(into)}:`,
    ["```", ...lines.map(filled), "```"].join("\n"),
    ...notes.map(filled),
  ].join("\n\n");
}
