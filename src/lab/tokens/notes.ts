import notes from "../../../static/notes.json" with { type: "json" };
import { ownMember } from "../../server/util/values/members.ts";

/** What a name means, in one sentence, with the section that defines it. */
export interface Note {
  says: string;
  see: string;
}

/** Where a name occurs. */
export type NotePlace = keyof typeof notes;

type NoteTable = Readonly<Record<string, readonly string[]>>;

/** Where the names of a place are looked up next: an introspection response consists of claims. */
const nextPlaces: Readonly<Partial<Record<NotePlace, NotePlace>>> = {
  callback: "response",
  response: "claim",
};

/** Returns what a name means in a place; undefined for one that no specification defines. */
export function findNote(place: NotePlace, name: string): Note | undefined {
  const table: NoteTable = notes[place];
  const [says, see] = ownMember(table, name) ?? [];
  if (says !== undefined && see !== undefined) return { says, see };
  const next = nextPlaces[place];
  return next && findNote(next, name);
}
