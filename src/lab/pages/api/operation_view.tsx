/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import { type ApiSchema, type ApiSchemas, bodySchema } from "../../control/lab_schemas.ts";
import type { OperationDescription } from "../../core/operation.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Tag } from "../parts/tag.tsx";
import { type CommandOptions, exampleCommand } from "./operation_examples.ts";

/** One operation: what it does, what it takes, and a command that calls it. */
export function operationView(
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
