/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { withLineBreaks } from "../../../server/pages/access_detail.tsx";
import { isObject } from "../../../server/util/text/json.ts";
import { openSegment } from "../../control/operation_input.ts";
import type { EntryButton, OperationDescription } from "../../core/operation.ts";
import { indentJson, showValue } from "../../util/json_values.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock, Secret } from "../parts/copy_text.tsx";
import { ActionForm } from "../parts/form.tsx";
import { inWords } from "../parts/schema_fields.ts";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag, type Tone } from "../parts/tag.tsx";

/** An entry of a list, by its members. */
export type ListEntry = Readonly<Record<string, unknown>>;

/** What a page knows of the operations around its own. */
export interface OperationPlace {
  call: LabPageCall;
  operations: readonly OperationDescription[];
}

/** A longer text is folded, but for a sentence. */
export const maxText = 60;
const maxSentence = 400;
/** More of them in one cell are folded. */
const maxInCell = 3;
/** A word, or an endpoint: a few of them are in one line. */
const shortName = /^(\w+|[A-Z]+ \/\S+( \w+)?)$/;

/** What is good or bad about a number of them, or about being so. */
const tones: Readonly<Record<string, Tone>> = {
  active: "good",
  passed: "good",
  failed: "bad",
  inDoubt: "warn",
};

export function valueAt(entry: ListEntry, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Object(value)[name], entry);
}

/** The buttons of an entry of a list that has no page. */
export function entryActions(
  { operations }: OperationPlace,
  { path }: OperationDescription,
): OperationDescription[] {
  const ofOne = operations.filter((each) => each.path.startsWith(`${path}/:`));
  if (ofOne.some(({ method, page }) => method === "GET" && page)) return [];
  return ofOne.filter(({ method, body }) => method !== "GET" && !body);
}

/** Calls another operation with members of an entry. A screen reader hears which. */
export function entryButton(
  { call }: OperationPlace,
  text: string,
  { operation, members, more }: EntryButton,
  entry: ListEntry,
): VNode {
  const fields = Object.fromEntries(members.map((name) => [name, showValue(entry[name])]));
  return (
    <ActionForm
      page={call}
      action={`/call/${operation}`}
      back={call.here}
      fields={{ ...fields, ...more }}
      label={`${text} ${Object.values(fields).join(", ")}`}
    >
      {text}
    </ActionForm>
  );
}

/** A part of an entry stands for itself: the tokens of a session. */
const part: ListEntry = {};

export function actionsOf(
  around: OperationPlace,
  operation: OperationDescription,
  key: unknown,
  entry: ListEntry,
): VNode[] {
  return entryActions(around, operation).flatMap((each) => {
    const name = openSegment(each.path) ?? "";
    const value = key ?? entry[name];
    if (typeof value !== "string" || entry.active === false) return [];
    const words = inWords(each.name.replaceAll("-", "_"));
    const shown = entry === part ? words.split(" ")[0] : words;
    return [
      <ActionForm
        page={around.call}
        action={`/call/${each.name}`}
        back={around.call.here}
        fields={{ [name]: value }}
        label={`${shown} ${value}`}
      >
        {shown}
      </ActionForm>,
    ];
  });
}

/** Shows any value: a link, a tag, a time, a list, or what is long on demand. */
export function cellOf(
  around: OperationPlace,
  operation: OperationDescription,
  path: string,
  value: unknown,
): ComponentChildren {
  const name = path.split(".").at(-1) ?? path;
  const isSecret = /secret$|password$/i.test(name);
  if (value === undefined || value === null || value === "") {
    return isSecret ? <span class="muted">none</span> : "";
  }
  if (isSecret) return <Secret text={showValue(value)} />;
  const tone = tones[name] ?? "neutral";
  if (value === true) return <Tag tone={tone}>{inWords(name).toLowerCase()}</Tag>;
  if (value === false) return <span class="muted">no</span>;
  if (typeof value === "number" && tone !== "neutral") {
    return value > 0 && <Tag tone={tone}>{`${value} ${name}`}</Tag>;
  }
  if (Array.isArray(value)) return listCell(around, operation, name, value);
  const text = showValue(value);
  if (name === "see") return <SectionLink see={text} />;
  const isLong = text.length > (text.includes(" ") ? maxSentence : maxText);
  if (isObject(value) || isLong) {
    return (
      <details>
        <summary>{text.slice(0, 40)}…</summary>
        <CodeBlock what={name} text={indentJson(text)} />
      </details>
    );
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text.slice(0, 19).replace("T", " ");
  const known = around.operations.some((each) => each.page && each.path === `/${name}s`);
  if (known && around.operations.some(({ page, path }) => page && path.startsWith(`/${name}s/:`))) {
    return (
      <a href={`${around.call.base}/lab/${name}s/${encodeURIComponent(text)}`}>
        <code>{text}</code>
      </a>
    );
  }
  return /^[^\s]*[:/._-][^\s]*$/.test(text)
    ? <code>{withLineBreaks(text)}</code>
    : <bdi>{text}</bdi>;
}

function listCell(
  around: OperationPlace,
  operation: OperationDescription,
  name: string,
  values: readonly unknown[],
): ComponentChildren {
  if (values.length === 0) return <span class="muted">none</span>;
  const isShort = values.every((each) => typeof each === "string" && shortName.test(each));
  if (isShort && values.length <= maxInCell) {
    return values.map((each, at) => (
      <>
        {at > 0 && ", "}
        <code>{showValue(each)}</code>
      </>
    ));
  }
  const list = (
    <ul class="plain">
      {values.map((each) => (
        <li>
          {isObject(each)
            ? objectLine(around, operation, each)
            : <code>{withLineBreaks(showValue(each))}</code>}
        </li>
      ))}
    </ul>
  );
  if (values.length <= maxInCell) return list;
  return (
    <details>
      <summary>{values.length} {inWords(name).toLowerCase()}</summary>
      {list}
    </details>
  );
}

/** A part of an entry, with what can be done with it alone: the tokens of a client in a session. */
function objectLine(
  around: OperationPlace,
  operation: OperationDescription,
  { id, flow, ...members }: ListEntry,
): VNode {
  const [first, second] = Object.values(members).map(showValue);
  return (
    <>
      <code>{first}</code>
      {second && (
        <>
          : <code>{second}</code>
        </>
      )} {typeof flow === "string" && <a href={`${around.call.base}/lab/flows/${flow}`}>{flow}</a>}
      {" "}
      {actionsOf(around, operation, id, part)}
    </>
  );
}
