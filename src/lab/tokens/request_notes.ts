import notes from "../../../static/request_notes.json" with { type: "json" };
import { ownMember } from "../../server/util/values/members.ts";

/** What a name means, in one sentence, with the section that defines it. */
export interface Note {
  says: string;
  see: string;
}

/** Returns what a parameter of a request means, if a specification defines it. */
export function findRequestNote(name: string): Note | undefined {
  return findNoteIn(notes, name);
}

/** Returns the note of a name in a table, if it has one. */
export function findNoteIn(
  table: Readonly<Record<string, readonly string[]>>,
  name: string,
): Note | undefined {
  const [says, see] = ownMember(table, name) ?? [];
  return says !== undefined && see !== undefined ? { says, see } : undefined;
}
