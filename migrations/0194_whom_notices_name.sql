-- Whom a notice names: the name goes from it when that account is deleted. No foreign key, so that a deletion waits for nothing.
alter table notifications add column about_account uuid;
create index notifications_about on notifications (about_account) where about_account is not null;
