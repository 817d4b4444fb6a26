-- Whose turn it is to ask the provider for something: what a change costs follows from what runs, so one wish of a business comes after the
-- other. It ends by itself where an instance dies with it.
alter table payment_customers
  add column turn_of uuid,
  add column turn_until timestamptz;
