import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Directory } from "../../lab_server/directory.ts";

/** The fields of a form as they were sent, or as an entry fills them in. */
export type FieldValues = URLSearchParams;

/** How the pages show the users or the clients of a lab. */
export interface DirectoryArea<T extends object> {
  /** What an entry is. */
  what: "user" | "client";
  /** The name of the field that names the entry: "id". */
  nameField: "name" | "id";
  /** What the list is for, in a sentence. */
  introduction: string;
  directoryOf(lab: CoreLab): Directory<T>;
  nameOf(entry: T): string;
  /** The head and the cells of the list, without the name. */
  columns: readonly string[];
  cells(entry: T): Array<VNode | string>;
  /** Shows below the list what is there and cannot be changed on these pages. */
  others?(lab: CoreLab): Promise<VNode>;
  /** The fields of the form; `invalid` is the name of the one that is wrong. */
  fields(lab: CoreLab, values: FieldValues, invalid: string | undefined): VNode;
  /** Returns the name of the field of a setting. */
  fieldOf(setting: string): string;
  /** Fills the fields with an entry. */
  toValues(entry: T): FieldValues;
  /**
   * Reads the form.
   *
   * @throws {LabError} A field cannot be read. The directory checks everything else.
   */
  readForm(form: URLSearchParams): T;
}
