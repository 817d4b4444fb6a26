-- What each file of this folder was like when it was carried out: one that is changed later would leave this database with
-- a schema that no release expects.
create table migration_files (
  name text primary key,
  sha256 text not null
);
