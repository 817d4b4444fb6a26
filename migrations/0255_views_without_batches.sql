-- Views are counted once or, while the database is away, not at all: no batch is written a second time.
drop table view_batches;
