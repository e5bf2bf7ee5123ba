/** @jsxImportSource preact */
import type { VNode } from "preact";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { counted } from "../../../server/util/time/duration.ts";
import {
  type ApiSchema,
  type ApiSchemas,
  bodySchema,
  loadLabSchemas,
} from "../../control/lab_schemas.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationDescription } from "../../core/operation.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import { placeEntries } from "../../util/lists.ts";
import type { OperationGroup } from "../page/feature_interface.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { pageAt } from "../page/page_routes.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { type Fact, Facts } from "../parts/tables.tsx";
import { Tag } from "../parts/tag.tsx";
import { type CommandOptions, exampleCommand } from "./operation_examples.ts";

/** The groups of the core, in the order of the page. */
const coreGroups: readonly OperationGroup[] = [
  { name: "tokens", title: "Tokens" },
  { name: "codes", title: "Codes" },
  { name: "authorize", title: "Playing a user" },
  { name: "sign-in", title: "Hands-free sign-in" },
  { name: "clock", title: "Clock" },
  { name: "requests", title: "Recorded requests" },
  { name: "flows", title: "Flows" },
  { name: "events", title: "Events" },
  { name: "users", title: "Users" },
  { name: "clients", title: "Clients" },
  { name: "registered-clients", title: "Registered clients" },
  { name: "settings", title: "Settings" },
  { name: "tenants", title: "Tenants" },
  { name: "reset", title: "Reset" },
  { name: "openapi.json", title: "OpenAPI" },
];

/** A section of the page that describes the interface. */
interface OperationSection extends OperationGroup {
  operations: OperationDescription[];
}

/** Creates the page that describes the interface over HTTP for people. */
export function createApiPages(
  operations: readonly OperationDescription[],
  groups: readonly OperationGroup[],
): LabPageRoute[] {
  const sections = operationSections(operations, groups);
  return [pageAt("/api", (lab, call) => apiPage(lab, call, sections))];
}

/** Returns every operation of the interface, grouped by what it concerns. */
function operationSections(
  operations: readonly OperationDescription[],
  ofFeatures: readonly OperationGroup[],
): OperationSection[] {
  const groups = placeEntries(coreGroups, ofFeatures);
  const named = new Set(groups.map(({ name }) => name));
  const others = [...new Set(operations.map(groupOf))].filter((name) => !named.has(name))
    .map((name) => ({ name, title: `/${name}` }));
  return [...groups, ...others].map((group) => ({
    ...group,
    operations: operations.filter((operation) => groupOf(operation) === group.name),
  })).filter((section) => section.operations.length > 0);
}

function groupOf({ path }: OperationDescription): string {
  return path.split("/")[1] ?? "";
}

async function apiPage(
  lab: CoreLab,
  { base, request, token }: LabPageCall,
  sections: readonly OperationSection[],
): Promise<LabPage> {
  const schemas = await loadLabSchemas();
  const url = `${new URL(request.url).origin}${base}/lab`;
  const options: CommandOptions = {
    url,
    needsToken: token !== undefined,
    authorizationEndpoint: authorizationUrl(lab),
    redirectUri: issuerUrl(lab.context.settings.frontChannelUrl, "/authorized"),
  };
  return {
    title: "HTTP API",
    isLive: true,
    content: (
      <>
        <PageHead title="HTTP API">
          Everything that a test can do here, from any language. For machines:{" "}
          <a href={`${base}/lab/openapi.json`}>OpenAPI</a>.
        </PageHead>
        {options.needsToken && (
          <p class="caution">
            This lab has a token. Put it into the environment variable <code>LAB_TOKEN</code>{" "}
            before you run a command.
          </p>
        )}
        {sections.map(({ name, title, operations }) => (
          <Section title={title} id={`operations-${name}`}>
            {operations.map((operation) =>
              operationView(operation, options, schemas)
            )}
          </Section>
        ))}
      </>
    ),
  };
}

/** Where no user signs in at the provider, the server of the lab lets them. */
function authorizationUrl(lab: CoreLab): string {
  const { issuer, paths } = lab.context.settings;
  return findEndpointUrl(lab, "authorization_endpoint") ?? issuerUrl(issuer, paths.authorize);
}

/** One operation: what it does, what it takes, and a command that calls it. */
function operationView(
  operation: OperationDescription,
  options: CommandOptions,
  schemas: ApiSchemas,
): VNode {
  const { method, path, summary, query = {}, body } = operation;
  const members: Fact[] = [
    ...factsOfQuery(query),
    ...body ? factsOfBody(bodySchema(schemas, body)) : [],
  ];
  return (
    <details class="operation" id={`${method.toLowerCase()}-${path.replace(/\W+/g, "-")}`}>
      <summary>
        <Tag>{method}</Tag> <code>{path}</code> <span class="muted">{summary}</span>
      </summary>
      {members.length > 0 && (
        <details>
          <summary>{counted(members.length, "setting")}</summary>
          <Facts facts={members} />
        </details>
      )}
      <p>
        <a href={`${options.url}/call/${operation.name}`}>Call it here</a>
      </p>
      <CodeBlock what={`command for ${method} ${path}`} text={exampleCommand(operation, options)} />
    </details>
  );
}

function factsOfQuery(query: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(query).map(([name, description]) => [<code>?{name}=</code>, description]);
}

function factsOfBody({ properties = {}, required = [] }: ApiSchema): Fact[] {
  return Object.entries(properties).map(([name, schema]) => [
    <>
      <code>{name}</code> {required.includes(name) && <Tag>required</Tag>}
    </>,
    <>
      {schema.description} <span class="muted">{typeText(schema)}</span>
    </>,
  ]);
}

/** Returns the type of a member: "string or array". */
function typeText({ type, $ref, enum: values, anyOf }: ApiSchema): string {
  if (anyOf) return [...new Set(anyOf.map(typeText))].filter(Boolean).join(" or ");
  if (values) return values.join(" or ");
  return $ref ? "object" : [type ?? []].flat().join(" or ");
}
