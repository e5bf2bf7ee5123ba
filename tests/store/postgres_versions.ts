/** SQL that makes the tables of each version, with the row of `keptRow`. They never change. */
export const postgresVersions: readonly string[] = [
  `CREATE TABLE hallpass_schema (version integer NOT NULL);
   INSERT INTO hallpass_schema VALUES (1);
   CREATE TABLE hallpass_rows (
     kind text NOT NULL,
     id bytea NOT NULL,
     value text NOT NULL,
     expires_at double precision NOT NULL,
     used_at double precision,
     PRIMARY KEY (kind, id)
   );
   CREATE INDEX hallpass_rows_by_expiry ON hallpass_rows (expires_at);
   INSERT INTO hallpass_rows VALUES ('user', 'dora', '"kept"', 8e15, 5)`,
];
