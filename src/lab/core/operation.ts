import type { ObjectSchema } from "../../server/config/schema.ts";
import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { CoreLab } from "./core_lab.ts";

/** An operation of a lab over HTTP, which works with the members that some features add to it. */
export interface Operation<Members extends object = object> extends OperationDescription {
  /** Does it, and returns the body of the response. */
  readonly run: (lab: CoreLab & Members, call: OperationCall) => unknown;
}

/** Declares an operation by its method and its path below `/lab`: `"PUT /users/:name"`. */
export function operation<Members extends object>(
  route: `${OperationDescription["method"]} /${string}`,
  declared: Omit<Operation<Members>, "method" | "path">,
): Operation<Members> {
  const [method, path] = route.split(" ") as [OperationDescription["method"], string];
  return { ...declared, method, path };
}

/** What an operation takes and returns. The OpenAPI document is computed from it. */
export interface OperationDescription {
  /** Its own name: that of its page and its command, and with `_`, of its tool for agents. */
  name: string;
  /** When an agent should use it, in one sentence. Without one, it is no tool for agents. */
  agents?: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Whether it changes nothing that is there. An agent may then call it without asking. */
  onlyAdds?: boolean;
  /** The path below `/lab`; one segment may be open: "/users/:name". */
  path: string;
  /** What the operation does, in one sentence. */
  summary: string;
  /** What a GET returns, if that has a page of its kind: all entries, one of them, or events. */
  kind?: "list" | "entry" | "stream";
  /** The query parameters, with their descriptions. */
  query?: Readonly<Record<string, string>>;
  body?: BodyDescription;
  /** Whether it reads the body itself, and says why that cannot be read. */
  readsBody?: boolean;
  /**
   * The interface of the response, or of the entries of a list: "Fault", "Fault[]"; several, if it
   * may be any of them. Its schema is generated.
   *
   * @default an empty object
   */
  returns?: string | readonly string[];
  /**
   * The statuses of success.
   *
   * @default [200]
   */
  statuses?: readonly number[];
  /** Values of a member that its schema does not list: a form suggests them, a shell completes them. */
  values?: Readonly<Record<string, () => readonly string[]>>;
  /** A call that works in a lab with the demo clients and users. */
  example?: { segment?: string; body?: ExampleBody | ((lab: CoreLab) => ExampleBody) };
  /** The media types of responses in other formats than JSON. */
  otherFormats?: readonly string[];
  /**
   * What its page says beyond summary and schemas. A list or an entry with it has its page at its own
   * path; all pages are at `/lab/call/NAME`.
   */
  page?: OperationPage;
}

type ExampleBody = Record<string, unknown>;

/** What the page of an operation says beyond its summary and its schemas. */
export interface OperationPage {
  /**
   * The title, which links have as well.
   *
   * @default the name in words
   */
  title?: string;
  /**
   * What the page is for, in a sentence.
   *
   * @default the summary
   */
  about?: string;
  /**
   * The columns of a list: the member that each one shows, such as "claims.email", or what it shows
   * of an entry.
   *
   * @default the first members of the entries
   */
  columns?: Readonly<Record<string, string | ((entry: never) => unknown)>>;
  /**
   * The member of an entry that names it in the path of other operations.
   *
   * @default the open segment of their path
   */
  key?: string;
  /** What can be done with an entry besides the operations on its path, by the text of the button. */
  buttons?: Readonly<Record<string, EntryButton>>;
  /** What an empty list is filled by. */
  empty?: string;
  /** The name of an operation whose list is below this one. */
  below?: string;
  /** Folds a list of many entries into groups: by a word of each. Its columns are members then. */
  groupOf?: (entry: never) => string;
  /** What the search of a list looks for, as a hint. */
  hint?: string;
  /** The members that a form shows first, such as "claims.email". All others are folded. */
  fields?: Readonly<Record<string, FieldWords>>;
}

/** A button of an entry, which calls another operation. */
export interface EntryButton {
  /** The name of the operation. */
  operation: string;
  /** The members of the entry that the operation takes. */
  members: readonly string[];
  /** What it takes as well. */
  more?: Readonly<Record<string, string>>;
}

/** What a form says about a member beyond its schema. */
export interface FieldWords {
  label?: string;
  kind?: "secret" | "lines" | "words" | "hidden" | "boxes";
  hint?: string;
  help?: string;
  rows?: number;
  /** The only values that there are, with what they are called. */
  choices?: ReadonlyArray<readonly [value: string, label: string]>;
  /** The member that replaces it: with one, it is left out. */
  unless?: string;
}

export interface BodyDescription {
  /** The interface of the body. Its schema with descriptions is generated. */
  name: string;
  /**
   * Checks the body, where the lab itself does not check what it is given.
   *
   * @default the lab checks everything
   */
  schema?: ObjectSchema;
  /** The member that the path has in place of the body. */
  inPath?: string;
}

export interface OperationCall {
  request: IncomingRequest;
  /** The value of the open segment of the path. */
  segment: string;
  query: URLSearchParams;
  /** Empty if the operation reads it itself. */
  body: Record<string, unknown>;
  /** All operations of the interface, for one that describes them. */
  operations: readonly Operation<never>[];
}
