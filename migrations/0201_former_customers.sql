-- Customers whom the provider does not know any more: the keys are of another account or mode, or somebody deleted them there. What was
-- bought as one of them stays paid for; the id is taken again where the keys of before return.
alter table payment_customers
  add column former_ids text[] not null default '{}',
  -- since when the present customer is the one; null: from the beginning. The provider does not know what was paid before
  add column changed_at timestamptz;
