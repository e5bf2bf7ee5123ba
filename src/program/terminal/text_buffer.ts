/**
 * Creates a buffer of text that waits to be written, up to a length in characters. It counts the
 * lines that found no room.
 */
export function createTextBuffer(
  maxLength: number,
  describeDropped: (lines: number) => string,
) {
  let text = "";
  let dropped = 0;

  function add(line: string): void {
    text += `${line}\n`;
  }

  return {
    isEmpty: () => text === "",
    /** Adds a line that must not be lost. */
    add,
    /** Adds a line, or drops it if there is no room. Returns whether it was added. */
    addIfRoom(line: string): boolean {
      const hasRoom = text.length + line.length < maxLength;
      if (hasRoom) add(line);
      else dropped++;
      return hasRoom;
    },
    /** Returns all text, with a note on the dropped lines, and forgets it. */
    takeAll(): string {
      if (dropped > 0) add(describeDropped(dropped));
      const all = text;
      text = "";
      dropped = 0;
      return all;
    },
  };
}
