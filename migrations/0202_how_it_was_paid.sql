-- What the plan cost per interval when it was bought, as prices change; null: no plan, or paid before this was kept.
-- How it was paid, a label ("Visa 4242"); null: not known.
alter table payments
  add column price_rappen int,
  add column payment_method text;
-- When money went back, so that a placement that follows begins then; null: told before this was kept.
alter table payment_reversals
  add column reversed_at timestamptz;
