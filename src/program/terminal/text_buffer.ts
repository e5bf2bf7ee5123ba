/** Text that waits to be written, up to a length. It counts the lines that found no room. */
export interface TextBuffer {
  isEmpty(): boolean;
  /** Adds a line that must not be lost. */
  add(line: string): void;
  /** Adds a line, or drops it if there is no room. Returns whether it was added. */
  addIfRoom(line: string): boolean;
  /** Returns all text, with a note on the dropped lines, and forgets it. */
  takeAll(): string;
}

/** Creates an empty buffer of a length in characters. */
export function createTextBuffer(
  maxLength: number,
  describeDropped: (lines: number) => string,
): TextBuffer {
  let text = "";
  let dropped = 0;

  function add(line: string): void {
    text += `${line}\n`;
  }

  return {
    isEmpty: () => text === "",
    add,
    addIfRoom(line) {
      const hasRoom = text.length + line.length < maxLength;
      if (hasRoom) add(line);
      else dropped++;
      return hasRoom;
    },
    takeAll() {
      if (dropped > 0) add(describeDropped(dropped));
      const all = text;
      text = "";
      dropped = 0;
      return all;
    },
  };
}
