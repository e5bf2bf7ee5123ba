/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { BodyMembers, Operation } from "../../control/operation.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Tag } from "../parts/tag.tsx";
import { type CommandOptions, exampleCommand } from "./operation_examples.ts";

interface OperationViewProps {
  operation: Operation;
  options: CommandOptions;
}

/** One operation: what it does, what it takes, and a command that calls it. */
export function OperationView({ operation, options }: OperationViewProps): VNode {
  const { method, path, summary, query = {}, body = {} } = operation;
  const members: Fact[] = [...factsOfQuery(query), ...factsOfBody(body)];
  return (
    <div class="operation">
      <h3>
        <Tag>{method}</Tag> <code>{path}</code>
      </h3>
      <p>{summary}</p>
      {members.length > 0 && (
        <details>
          <summary>{counted(members.length, "setting")}</summary>
          <Facts facts={members} />
        </details>
      )}
      <CodeBlock what={`command for ${method} ${path}`} text={exampleCommand(operation, options)} />
    </div>
  );
}

function factsOfQuery(query: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(query).map(([name, description]) => [<code>?{name}=</code>, description]);
}

function factsOfBody(body: BodyMembers): Fact[] {
  return Object.entries(body).map(([name, { type, description, required }]) => [
    <>
      <code>{name}</code> {required && <Tag>required</Tag>}
    </>,
    <>
      {description} <span class="muted">{[type].flat().join(" or ")}</span>
    </>,
  ]);
}
