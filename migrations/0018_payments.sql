-- Payments. What a provider tells of is stored as facts that only grow: a newer snapshot of a subscription, a payment, a
-- refund, a dispute. Tier and featured placement are computed from the facts of a business, so the order in which they come
-- changes nothing. Amounts are Rappen. Ids of businesses are no foreign keys: what was paid is kept when an account goes.

-- Who is who at the provider; made before a customer can pay, so an event of a stranger is told by it. The row is also the
-- lock of everything that is computed for the business.
create table payment_customers (
  business_id uuid primary key,
  provider text not null check (provider in ('stripe', 'test')),
  customer_id text unique,
  -- Customers whom the provider does not know any more: the keys are of another account or mode, or somebody deleted them there.
  -- What was bought as one of them stays paid for; the id is taken again where the keys of before return.
  former_ids text[] not null default '{}',
  -- since when the present customer is the one; null: from the beginning. The provider does not know what was paid before
  changed_at timestamptz,
  -- Whose turn it is to ask the provider for something: what a change costs follows from what runs, so one wish of a business
  -- comes after the other. It ends by itself where an instance dies with it.
  turn_of uuid,
  turn_until timestamptz,
  created_at timestamptz not null
);

-- Every event that was verified, once.
create table payment_events (
  provider text not null,
  event_id text not null,
  type text not null,
  created_at timestamptz not null,
  received_at timestamptz not null,
  outcome text not null check (outcome in ('applied', 'unused', 'refused')),
  -- why it was refused
  reason text,
  primary key (provider, event_id)
);
-- serves the nightly deletion of old events
create index payment_events_received on payment_events (received_at);

-- The newest snapshot of each subscription.
create table subscriptions (
  subscription_id uuid primary key,
  provider_id text not null unique,
  business_id uuid not null,
  tier text not null check (tier in ('PREMIUM', 'ULTIMATE')),
  pay_interval text not null check (pay_interval in ('month', 'year')),
  status text not null check (status in ('incomplete', 'active', 'past_due', 'canceled')),
  period_start timestamptz not null,
  period_end timestamptz not null,
  cancel_at_period_end boolean not null,
  pending_tier text check (pending_tier in ('PREMIUM', 'ULTIMATE')),
  pending_interval text check (pending_interval in ('month', 'year')),
  payment_method text,
  ended_at timestamptz,
  -- What the deletion of an account took from a plan: that it goes on, and the plan that followed. Null: nothing was taken.
  before_leaving jsonb,
  -- of when the snapshot is; of two of the same moment the one whose text sorts last counts, so that the order in which they
  -- come does not matter
  as_of timestamptz not null,
  snapshot text not null,
  check ((pending_tier is null) = (pending_interval is null)),
  check (status <> 'canceled' or ended_at is not null)
);
-- serves the subscriptions of a business
create index subscriptions_of_business on subscriptions (business_id);

-- What was paid; a row is an invoice, as it was on that day.
create table payments (
  invoice_id uuid primary key,
  invoice_no bigint not null unique generated always as identity,
  provider text not null,
  payment_id text not null unique,
  business_id uuid not null,
  what text not null check (what in ('subscription', 'promotion')),
  amount_rappen int not null check (amount_rappen >= 0),
  subscription_provider_id text,
  tier text check (tier in ('PREMIUM', 'ULTIMATE')),
  pay_interval text check (pay_interval in ('month', 'year')),
  period_start timestamptz not null,
  period_end timestamptz not null,
  paid_at timestamptz not null,
  vat_rate numeric(5, 2),
  vat_rappen int not null default 0,
  vat_id text,
  -- what the plan cost per interval when it was bought, as prices change; null: no plan
  price_rappen int,
  -- how it was paid, a label ("Visa 4242"); null: not known
  payment_method text,
  issuer text not null,
  billed_to text not null,
  check ((what = 'subscription') = (subscription_provider_id is not null and tier is not null and pay_interval is not null))
);
-- serves what a business has paid, and its invoices, the newest first
create index payments_of_business on payments (business_id, paid_at desc, invoice_id desc);

-- Refunds and disputes. One may be told of before its payment is; it counts once the payment is known.
create table payment_reversals (
  reversal_id text primary key,
  payment_id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  amount_rappen int not null check (amount_rappen > 0),
  -- a refund: pending, done, failed; a dispute: open, won, lost. Later ones win, see the order in `server/store/facts.ts`
  status text not null check (status in ('pending', 'done', 'failed', 'open', 'won', 'lost')),
  -- when money went back, so that a placement that follows begins then
  reversed_at timestamptz
);
-- serves the reversals of a payment
create index payment_reversals_of_payment on payment_reversals (payment_id);

-- One wish to pay that is under way per business: who clicks fifty times gets the same page.
create table checkouts (
  checkout_id uuid primary key,
  business_id uuid not null,
  provider text not null,
  what text not null check (what in ('subscription', 'promotion')),
  tier text,
  pay_interval text,
  amount_rappen int not null,
  -- opening: the provider was asked and has not answered
  status text not null check (status in ('opening', 'open', 'complete', 'expired')),
  session_id text unique,
  url text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- one under way per business
create unique index checkouts_under_way on checkouts (business_id) where status in ('opening', 'open');
-- serves the nightly deletion of old checkouts
create index checkouts_created on checkouts (created_at);

-- Answers to requests with an Idempotency-Key.
create table payment_requests (
  business_id uuid not null,
  key_hash bytea not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (business_id, key_hash)
);
-- serves the nightly deletion of old keys
create index payment_requests_created on payment_requests (created_at);

-- What follows from the facts of a business, and when it changes by itself.
create table payment_standings (
  business_id uuid primary key,
  tier text not null check (tier in ('FREE', 'PREMIUM', 'ULTIMATE')),
  featured_until timestamptz,
  overdue_since timestamptz,
  next_change_at timestamptz
);
-- serves the look for tiers that have ended
create index payment_standings_due on payment_standings (next_change_at) where next_change_at is not null;

-- To whom the invoices of a business are addressed from now on, where that is not its name and address. An invoice keeps its
-- addressee (payments.billed_to).
create table billing_addresses (
  business_id uuid primary key references businesses on delete cascade,
  legal_name text check (char_length(legal_name) between 1 and 120),
  address text check (char_length(address) between 1 and 200),
  -- CHE-123.456.788, with MWST, TVA or IVA behind it where the business is registered for VAT
  uid text check (uid ~ '^CHE-\d{3}\.\d{3}\.\d{3}( (MWST|TVA|IVA))?$')
);

-- The ledger: double entry, never changed. A debit is positive, a credit negative.
create table ledger_transactions (
  transaction_id uuid primary key,
  -- what is posted, e.g. payment:in_123; nothing is posted twice
  source text not null unique,
  business_id uuid not null,
  posted_at timestamptz not null
);
-- serves the ledger of a business
create index ledger_transactions_of_business on ledger_transactions (business_id);

create table ledger_entries (
  transaction_id uuid not null references ledger_transactions,
  account text not null check (account in ('provider', 'revenue_subscription', 'revenue_promotion', 'vat')),
  amount_rappen int not null check (amount_rappen <> 0),
  primary key (transaction_id, account)
);

-- a transaction that does not sum to zero cannot be committed
create function ledger_is_balanced() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount_rappen), 0) from ledger_entries where transaction_id = new.transaction_id) <> 0 then
    raise exception 'the ledger transaction % does not sum to zero', new.transaction_id;
  end if;
  return null;
end $$;
create constraint trigger ledger_is_balanced after insert on ledger_entries
deferrable initially deferred for each row execute function ledger_is_balanced();

create function ledger_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is never changed';
end $$;
create trigger ledger_is_final before update or delete on ledger_entries
for each row execute function ledger_is_final();
create trigger ledger_is_final before update or delete on ledger_transactions
for each row execute function ledger_is_final();

-- The built-in test provider: what Stripe would keep on its side.
create table test_provider_objects (
  object_id text primary key,
  kind text not null check (kind in ('checkout', 'portal', 'subscription', 'payment', 'refund', 'dispute', 'card')),
  business_id uuid not null,
  state jsonb not null,
  -- when it changes by itself
  due_at timestamptz
);
-- serves renewals
create index test_provider_objects_due on test_provider_objects (due_at) where due_at is not null;
-- serves what a business has there
create index test_provider_objects_of_business on test_provider_objects (business_id, kind);
