export {
  /** Lists the changes since a time in milliseconds, the oldest first. */
  listChanges as list,
  /** Records a change that is made elsewhere, such as a backup. */
  recordChange as record,
} from "../server/issuer/directory/changes.ts";
