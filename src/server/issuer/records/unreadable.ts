/**
 * Creates the error of stored data that another version of the server wrote. What lacks a member
 * that it must have is refused, because it would be taken as unrestricted.
 */
export function unreadable(what: string): Error {
  return new Error(
    `The store holds ${what} in a form that this version of Hallpass does not read; use the ` +
      "version that wrote it.",
  );
}
