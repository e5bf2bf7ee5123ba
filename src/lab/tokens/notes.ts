import notes from "../../../static/notes.json" with { type: "json" };
import { findNoteIn, findRequestNote, type Note } from "./request_notes.ts";

/** Where a name occurs. */
export type NotePlace = keyof typeof notes | "request";

/** Where the names of a place are looked up next: an introspection response consists of claims. */
const nextPlaces: Readonly<Partial<Record<NotePlace, NotePlace>>> = {
  callback: "response",
  response: "claim",
};

/** Returns what a name means in a place; undefined for one that no specification defines. */
export function findNote(place: NotePlace, name: string): Note | undefined {
  const note = place === "request" ? findRequestNote(name) : findNoteIn(notes[place], name);
  if (note) return note;
  const next = nextPlaces[place];
  return next && findNote(next, name);
}
